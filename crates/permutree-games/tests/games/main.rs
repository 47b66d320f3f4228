//! The games put through the kit, one module each.

mod hex;
mod kit;
mod tic_tac_toe;
