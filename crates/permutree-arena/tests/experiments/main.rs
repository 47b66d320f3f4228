//! Experiments: reading and refusing files, playing, and the store with its reports.

mod files;
mod kit;
mod measurements;
mod reports;
mod runs;
mod stores;
