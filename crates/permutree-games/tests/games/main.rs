//! The games put through the kit, one module each.

mod atarigo;
mod breakthrough;
mod connect4;
mod gomoku;
mod hex;
mod hnefatafl;
mod kit;
mod knightthrough;
mod nogo;
mod pig;
mod plain;
mod playouts;
mod racing;
mod skirmish;
mod stones;
mod tic_tac_toe;
mod tree;
mod wargame;
