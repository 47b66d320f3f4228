//! One file per command, each with its arguments and `run`. A new command is a file here, and a line in the list and
//! one in the dispatch of `main.rs`.

pub(crate) mod bench;
pub(crate) mod codes;
mod duel;
pub(crate) mod experiment;
pub(crate) mod gtp;
pub(crate) mod list;
pub(crate) mod match_;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod search;
pub(crate) mod serve;
mod signature;
pub(crate) mod tournament;
pub(crate) mod train;
