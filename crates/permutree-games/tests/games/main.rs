//! The games put through the kit, one module each.

mod atarigo;
mod breakthrough;
mod connect4;
mod gomoku;
mod hex;
mod hexagon;
mod kit;
mod knightthrough;
mod lockstep;
mod nogo;
mod pig;
mod playouts;
mod racing;
mod stones;
mod tic_tac_toe;
mod tree;
mod triad;
mod wargame;
mod yavalade;
mod yavalath;
