//! What several games share: boards, groups, lines and fast random choice.
//!
//! Games of other crates may use these too.

pub mod bits;
pub mod candidates;
pub mod circle;
pub(crate) mod draws;
pub mod groups;
pub mod hexagon;
pub mod lines;
pub mod nine;
pub mod placing;
pub mod racing;
