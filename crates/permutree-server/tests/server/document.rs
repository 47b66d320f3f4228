//! The description of the API, from which the types of the page are generated.

use std::path::Path;

/// `BLESS=1` updates it; `npm run types` in `web/` then generates the types.
#[test]
fn the_page_knows_this_api() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    let found = permutree_server::openapi() + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == kept,
        "web/openapi.json is out of date; BLESS=1 cargo test -p permutree-server updates it"
    );
}
