//! Games and agents by name. The library has no tests inside: it would be compiled a second time for them, and it is the
//! largest of all.

mod agents;
mod fuzz;
mod learned;
mod specs;
mod units;
