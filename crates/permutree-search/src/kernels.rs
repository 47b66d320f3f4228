//! The hot loops, compiled for portable code, AVX2 and AVX-512, and chosen at run time.
//!
//! All versions do the same additions, multiplications, divisions and square roots in the same order on each element, so
//! their results are equal to the last bit. Only this module and [`isa`] use `unsafe`: calling a function compiled for AVX2 or
//! AVX-512 is sound only if the processor supports it, which [`Level::detect`] checks.

mod adders;
mod count;
mod isa;
mod kinds;
pub mod lanes;
mod score;

pub(crate) use count::{
    COLUMN_LANES, Playouts, Share, Span, absorb, absorb_few, add_path, add_row, add_set, conjoin, filter,
    mark, spans_of,
};
pub(crate) use isa::{Level, list_bits};
pub(crate) use kinds::{KIND_BITS, Kinds};
pub(crate) use score::{
    Best, ByCode, best, grave, grave_exploring, mcps, mcps_value, optimal, optimal_value, uct,
};

/// Defines `pub(crate) fn $name`, which runs `$body` compiled for the given level.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident = $body:ident ($($arg:ident: $type:ty),*) -> $out:ty) => {
        $(#[$doc])*
        #[inline]
        #[allow(unsafe_code, clippy::too_many_arguments)]
        pub(crate) fn $name(level: $crate::kernels::Level, $($arg: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn avx2($($arg: $type),*) -> $out {
                    $body::<$crate::kernels::isa::Avx2>($($arg),*)
                }
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,gfni")]
                #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512bitalg")]
                fn avx512($($arg: $type),*) -> $out {
                    $body::<$crate::kernels::isa::Avx512>($($arg),*)
                }
                // SAFETY: a processor of this level has these features.
                match level {
                    $crate::kernels::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::kernels::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::kernels::Level::Portable => {}
                }
            }
            let _ = level;
            $body::<$crate::kernels::isa::Portable>($($arg),*)
        }
    };
}
use kernel;

/// The elements, `LANES` at a time.
#[inline(always)]
fn lanes<T>(items: &[T]) -> impl Iterator<Item = &[T; crate::tree::LANES]> {
    items.as_chunks().0.iter()
}

/// The elements, `LANES` at a time.
#[inline(always)]
fn lanes_mut<T>(items: &mut [T]) -> impl Iterator<Item = &mut [T; crate::tree::LANES]> {
    items.as_chunks_mut().0.iter_mut()
}
