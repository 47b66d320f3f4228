//! Searches of small games with known results, and of explicit trees.

mod ams;
mod games;
mod global;
mod golden;
mod kit;
mod naive;
mod nmcs;
mod nrpa;
mod parallel;
mod playouts;
mod reuse;
mod running;
mod sarsa;
mod solved;
mod solver;
mod treeless;
mod values;
