//! Games and agents by name. The library has no unit tests, because it would be compiled a second time for them.

mod agents;
mod fuzz;
mod learned;
mod specs;
mod units;
