//! The description of the API, from which the types of the page are made.

use std::path::Path;

/// `BLESS=1` writes it anew; `npm run types` in `web/` then makes the types.
#[test]
fn the_page_knows_this_api() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    let found = permutree_server::openapi() + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == kept, "web/openapi.json is old; BLESS=1 cargo test -p permutree-server writes it anew");
}
