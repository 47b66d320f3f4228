//! The games put through the kit, one module each.

mod agree;
mod connect4;
mod gomoku;
mod kit;
mod tic_tac_toe;
