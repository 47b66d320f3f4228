use permutree_zoo::{parse_bytes, parse_duration};
use std::time::Duration;

#[test]
fn units() {
    assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
    assert_eq!(parse_duration("300us"), Ok(Duration::from_micros(300)));
    assert_eq!(parse_bytes("256MB"), Ok(256 << 20));
    for bad in ["", "0s", "-1s", "nans", "1e400s", "s", "ms1", "1 s", "1h"] {
        assert!(parse_duration(bad).is_err(), "{bad}");
        assert!(parse_bytes(bad).is_err(), "{bad}");
    }
}
