//! Values of fixed size: scalars of structs, elements of packed lists, and keys.

use crate::wire;
use crate::{Code, Complex, Duration, Fault, Result, Time, ZonedTime};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

/// A value of fixed size, in one form. Most types have one form and are their own;
/// [`UnixNano`] is another form of [`Time`].
pub trait Fixed {
    /// The value in Rust.
    type Value: Clone;
    /// Its size in bytes.
    const SIZE: usize;
    /// Every pattern of bytes is a value.
    const ANY: bool;

    /// Reads the first bytes of `x`, whatever they are. Missing bytes are zero.
    fn load(x: &[u8]) -> Self::Value;
    /// Returns a fault if the bytes are no value.
    fn check(x: &[u8]) -> Result<()>;
    /// Sets the first bytes of `x`, or returns a fault if the value has no bytes.
    fn store(v: &Self::Value, x: &mut [u8]) -> Result<()>;

    /// Stores values side by side. They fill `x`.
    #[inline(always)]
    fn store_all(v: &[Self::Value], x: &mut [u8]) -> Result<()>
    where
        Self: Sized,
    {
        for (v, x) in v.iter().zip(x.chunks_exact_mut(Self::SIZE)) {
            Self::store(v, x)?;
        }
        Ok(())
    }

    /// Reads values side by side, which have been checked.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn load_all(x: &[u8]) -> Vec<Self::Value>
    where
        Self: Sized,
    {
        x.chunks_exact(Self::SIZE).map(Self::load).collect()
    }

    /// Checks and reads.
    #[inline(always)]
    fn get(x: &[u8]) -> Result<Self::Value> {
        Self::check(x)?;
        Ok(Self::load(x))
    }

    /// Checks elements side by side. The fault names the first one that is no value.
    fn check_all(b: &[u8]) -> Result<()> {
        if !Self::ANY {
            for (i, x) in b.chunks_exact(Self::SIZE).enumerate() {
                Self::check(x).map_err(|_| Fault::new(Code::Domain, i * Self::SIZE).at(i))?;
            }
        }
        Ok(())
    }
}

macro_rules! number {
    ($($t:ty),*) => {$(
        impl Fixed for $t {
            type Value = $t;
            const SIZE: usize = size_of::<$t>();
            const ANY: bool = true;

            #[inline(always)]
            fn load(x: &[u8]) -> $t {
                match x.first_chunk() {
                    Some(x) => <$t>::from_le_bytes(*x),
                    None => <$t>::from_le_bytes([0; size_of::<$t>()]),
                }
            }

            #[inline(always)]
            fn check(_: &[u8]) -> Result<()> {
                Ok(())
            }

            #[inline(always)]
            fn store(v: &$t, x: &mut [u8]) -> Result<()> {
                if let Some(x) = x.first_chunk_mut() {
                    * x = v.to_le_bytes();
                }
                Ok(())
            }

            // A function that is not inlined has arguments that are known not to overlap, so that
            // the compiler makes a memcpy of the loop.
            #[inline(never)]
            fn store_all(v: &[$t], x: &mut [u8]) -> Result<()> {
                for (v, x) in v.iter().zip(x.chunks_exact_mut(size_of::<$t>())) {
                    if let Some(x) = x.first_chunk_mut() {
                        * x = v.to_le_bytes();
                    }
                }
                Ok(())
            }

            #[cfg(feature = "alloc")]
            fn load_all(x: &[u8]) -> Vec<$t> {
                // As store_all. Vec::extend makes no memcpy of its loop, which costs more than
                // clearing the memory.
                #[inline(never)]
                fn fill(v: &mut [$t], x: &[u8]) {
                    for (v, x) in v.iter_mut().zip(x.chunks_exact(size_of::<$t>())) {
                        *v = <$t>::load(x);
                    }
                }
                let mut v = vec![<$t>::default(); x.len() / size_of::<$t>()];
                fill(&mut v, x);
                v
            }
        }
    )*};
}

number!(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

impl Fixed for bool {
    type Value = bool;
    const SIZE: usize = 1;
    const ANY: bool = false;

    #[inline(always)]
    fn load(x: &[u8]) -> bool {
        u8::load(x) != 0
    }

    #[inline(always)]
    fn check(x: &[u8]) -> Result<()> {
        if u8::load(x) > 1 {
            return Err(Code::Domain.into());
        }
        Ok(())
    }

    #[inline(always)]
    fn store(v: &bool, x: &mut [u8]) -> Result<()> {
        u8::store(&u8::from(*v), x)
    }
}

impl<F: Fixed<Value = F> + Clone> Fixed for Complex<F> {
    type Value = Complex<F>;
    const SIZE: usize = 2 * F::SIZE;
    const ANY: bool = true;

    #[inline(always)]
    fn load(x: &[u8]) -> Self {
        Complex {
            re: F::load(x),
            im: F::load(wire::rest(x, F::SIZE)),
        }
    }

    #[inline(always)]
    fn check(_: &[u8]) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn store(v: &Self, x: &mut [u8]) -> Result<()> {
        F::store(&v.re, x)?;
        store_at::<F>(&v.im, x, F::SIZE)
    }
}

impl Fixed for Duration {
    type Value = Duration;
    const SIZE: usize = 8;
    const ANY: bool = true;

    #[inline(always)]
    fn load(x: &[u8]) -> Self {
        Duration::from_nanos(i64::load(x))
    }

    #[inline(always)]
    fn check(_: &[u8]) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn store(v: &Self, x: &mut [u8]) -> Result<()> {
        i64::store(&v.as_nanos(), x)
    }
}

impl Fixed for Time {
    type Value = Time;
    const SIZE: usize = 12;
    const ANY: bool = false;

    #[inline(always)]
    fn load(x: &[u8]) -> Self {
        Time {
            seconds: i64::load(x),
            nanos: u32::load(wire::rest(x, 8)),
        }
    }

    #[inline(always)]
    fn check(x: &[u8]) -> Result<()> {
        if !Self::load(x).is_valid() {
            return Err(Code::Domain.into());
        }
        Ok(())
    }

    #[inline(always)]
    fn store(v: &Self, x: &mut [u8]) -> Result<()> {
        if !v.is_valid() {
            return Err(Code::Domain.into());
        }
        i64::store(&v.seconds, x)?;
        store_at::<u32>(&v.nanos, x, 8)
    }
}

impl Fixed for ZonedTime {
    type Value = ZonedTime;
    const SIZE: usize = 16;
    const ANY: bool = false;

    #[inline(always)]
    fn load(x: &[u8]) -> Self {
        ZonedTime {
            time: Time::load(x),
            east: i32::load(wire::rest(x, 12)),
        }
    }

    #[inline(always)]
    fn check(x: &[u8]) -> Result<()> {
        if !Self::load(x).is_valid() {
            return Err(Code::Domain.into());
        }
        Ok(())
    }

    #[inline(always)]
    fn store(v: &Self, x: &mut [u8]) -> Result<()> {
        if !v.is_valid() {
            return Err(Code::Domain.into());
        }
        Time::store(&v.time, x)?;
        store_at::<i32>(&v.east, x, 12)
    }
}

/// The form of a [`Time`] as nanoseconds since 1970, years 1678 to 2262. Zero bytes must be the
/// zero value here too, so 0 is [`Time::ZERO`], and the least integer is the first instant of 1970.
pub enum UnixNano {}

impl Fixed for UnixNano {
    type Value = Time;
    const SIZE: usize = 8;
    const ANY: bool = true;

    #[inline]
    fn load(x: &[u8]) -> Time {
        match i64::load(x) {
            0 => Time::ZERO,
            i64::MIN => Time::UNIX_EPOCH,
            n => Time::from_unix_nanos(n),
        }
    }

    #[inline(always)]
    fn check(_: &[u8]) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn store(v: &Time, x: &mut [u8]) -> Result<()> {
        let n = match *v {
            Time::ZERO => 0,
            Time::UNIX_EPOCH => i64::MIN,
            t => match t.unix_nanos() {
                Some(n) if n != i64::MIN => n,
                _ => return Err(Code::Domain.into()),
            },
        };
        i64::store(&n, x)
    }
}

impl<F: Fixed, const N: usize> Fixed for [F; N] {
    type Value = [F::Value; N];
    const SIZE: usize = N * F::SIZE;
    const ANY: bool = F::ANY;

    #[inline(always)]
    fn load(x: &[u8]) -> Self::Value {
        core::array::from_fn(|i| F::load(wire::part(x, i * F::SIZE, (i + 1) * F::SIZE)))
    }

    #[inline(always)]
    fn check(x: &[u8]) -> Result<()> {
        if F::ANY {
            return Ok(());
        }
        // A fault inside an array of scalars is that of the array.
        F::check_all(x).map_err(|f| Fault::new(f.code(), 0))
    }

    #[inline(always)]
    fn store(v: &Self::Value, x: &mut [u8]) -> Result<()> {
        for (v, x) in v.iter().zip(x.chunks_exact_mut(F::SIZE)) {
            F::store(v, x)?;
        }
        Ok(())
    }
}

/// Stores a value `at` bytes into `x`.
#[inline(always)]
pub fn store_at<F: Fixed>(v: &F::Value, x: &mut [u8], at: usize) -> Result<()> {
    match x.get_mut(at..) {
        Some(x) => F::store(v, x),
        None => Ok(()),
    }
}

/// Checks a field of a struct inline, `at` bytes into it.
#[inline(always)]
pub fn check_at<F: Fixed>(x: &[u8], at: usize, name: &str) -> Result<()> {
    F::check(x).map_err(|f| f.field(name, at))
}
