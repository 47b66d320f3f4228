//! Parsers for numbers, times and sizes.

use permutree_game::{Args, ParamError};
use std::time::Duration;

/// The value of a text parameter in 0..1, if it is given.
pub(crate) fn fraction(args: &Args, key: &'static str) -> Result<Option<f64>, ParamError> {
    match args.text(key) {
        "" => Ok(None),
        text => match text.parse() {
            Ok(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
            _ => Err(args.refuse(key, "must be a number 0..1")),
        },
    }
}

/// Parses a number of playouts: at least 1 and at most 2^32 - 1, the most that a search can count.
pub fn parse_playouts(text: &str) -> Result<u64, String> {
    let most = u64::from(u32::MAX);
    match text.parse::<u64>() {
        Ok(playouts) if (1..=most).contains(&playouts) => Ok(playouts),
        _ => Err(format!("must be a whole number 1..{most}")),
    }
}

/// Parses a duration such as `20ms`, `1.5s`, `300us` or `2m`: positive, at most a day.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        _ => f64::NAN,
    };
    match number.parse::<f64>().map(|number| number * seconds) {
        Ok(seconds) if (1e-6..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("must be a time such as 300us, 20ms, 1.5s or 2m, at most a day".to_string()),
    }
}

/// Parses a size such as `256MB`, `1GB` or `2048KB`, by powers of 1024: at least 1 MB.
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit.to_ascii_uppercase().as_str() {
        "KB" => 1024.0,
        "MB" => 1024.0 * 1024.0,
        "GB" => 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    match number.parse::<f64>().map(|number| number * scale) {
        Ok(bytes) if (1_048_576.0..=1e15).contains(&bytes) => Ok(bytes as usize),
        _ => Err("must be a size such as 256MB or 1GB, at least 1MB".to_string()),
    }
}
