use permutree_zoo::{agent, game, nearest};

#[test]
fn canonical_forms() {
    let canonical = |text: &str| game(text).unwrap().spec().to_string();
    for (text, form) in [
        ("hex", "hex:7"),
        ("hex:11", "hex:11"),
        ("hex:size=11", "hex:11"),
        ("hex:7,opening=b2", "hex:7,opening=b2"),
        ("go:plies=50,komi=5.5,size=7", "go:7,komi=5.5,plies=50"),
        ("go:komi=7.5", "go:9"),
    ] {
        assert_eq!(canonical(text), form);
        assert_eq!(canonical(form), form);
    }
}

#[test]
fn refusals() {
    let error = |text| game(text).err().unwrap().to_string();
    assert!(
        error("hex:sise=7")
            .starts_with("hex has no parameter 'sise'; did you mean 'size'? parameters: size,")
    );
    assert_eq!(error("hex:99"), "hex: size=99: must be a whole number 3..19");
    assert!(error("hex:7,8").starts_with("'hex:7,8': '8' is not key=value"));
    assert!(error("hex:7,size=8").contains("'size' is given twice"));
    assert!(error("hex:").contains("a value is missing"));
    assert!(error("hex:size=").contains("a value is missing"));
}

#[test]
fn brackets_keep_commas() {
    // Both are one item: commas inside brackets do not separate.
    let error = game("tree:(1,2),x=[3,4]").err().unwrap().to_string();
    assert!(error.starts_with("tree has no parameter 'x'"), "{error}");
}

/// In the canonical form, what follows an open bracket would become part of the value.
#[test]
fn brackets_are_balanced() {
    for text in ["mcps:solver=true,coding=(a", "mcps:coding=a)(b,ref=3", "mcps:coding=[a"] {
        let error = agent(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("'{text}': unbalanced brackets")), "{error}");
    }
    assert_eq!(agent("sarsa-uct:values=a (1),c=0.3").unwrap().spec(), "sarsa-uct:c=0.3,values=a (1)");
    assert_eq!(agent("external:timeout=5s,cmd=x (").unwrap().spec(), "external:timeout=5s,cmd=x (");
}

#[test]
fn nearest_words() {
    let known = ["hex", "nogo", "breakthrough", "knightthrough"];
    assert_eq!(nearest("hx", &known), Some("hex"));
    assert_eq!(nearest("brakthrough", &known), Some("breakthrough"));
    assert_eq!(nearest("chess", &known), None);
}
