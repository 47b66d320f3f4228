//! Experiments: what a file asks for, what it is refused for, and that a store holds each game once.

mod files;
mod kit;
mod measurements;
mod reports;
mod runs;
mod stores;
