//! Descriptions that come from others are read from one folder. A test of its own, since it concerns the whole process.

use permutree_zoo_gdl::{confine, confine_if_open, read};
use std::path::Path;

#[test]
fn only_files_of_the_folder_are_read() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../permutree-gdl/games");
    let inside = games.join("nim.kif").display().to_string();
    let outside = games.join("../README.md").display().to_string();
    assert!(read(&inside).is_ok());
    assert!(read("/dev/zero").is_err() && read(&games.display().to_string()).is_err());
    confine(Some(&games)).unwrap();
    // It stays as it is.
    confine_if_open();
    assert!(read(&inside).is_ok());
    for path in [outside.as_str(), "/etc/passwd", "/dev/zero", "/no/such/file"] {
        let refusal = read(path).unwrap_err();
        assert!(refusal.starts_with("there is no description"), "{refusal}");
    }
    confine(None).unwrap();
    assert!(read(&inside).unwrap_err().contains("--descriptions"));
    assert!(confine(Some(Path::new("/no/such/folder"))).is_err());
}
