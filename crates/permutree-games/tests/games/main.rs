//! The games put through the kit, one module each.

mod kit;
mod tic_tac_toe;
