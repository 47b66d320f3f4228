//! Searches of small games whose answers are known, and of explicit trees.

mod games;
mod golden;
mod kit;
mod naive;
mod reuse;
mod running;
mod solved;
mod solver;
mod values;
