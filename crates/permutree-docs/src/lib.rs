//! Compiles and runs the Rust examples of the READMEs as documentation tests.
//!
//! They are in a crate of their own because the README of the repository is in no package, and the documentation tests of a
//! published crate must also pass outside the repository.

#[doc = include_str!("../../../README.md")]
mod repository {}

#[doc = include_str!("../../permutree-search/README.md")]
mod search {}

#[doc = include_str!("../../permutree-gdl/README.md")]
mod gdl {}

#[doc = include_str!("../../permutree-agents/README.md")]
mod agents {}

#[doc = include_str!("../../permutree-zoo/README.md")]
mod zoo {}

#[doc = include_str!("../../permutree-arena/README.md")]
mod arena {}

#[doc = include_str!("../../permutree-server/README.md")]
mod server {}
