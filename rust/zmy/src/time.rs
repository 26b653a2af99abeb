//! Times, spans and complex numbers, for which the language has no type of the same range.

/// An instant, in nanoseconds, of the years −1,000,000,000 to 1,000,000,000: the
/// range of java.time.Instant. The default is the first instant of year 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Time {
    /// Seconds since 0001-01-01T00:00:00Z.
    pub seconds: i64,
    /// Nanoseconds after that second, less than 10⁹, also before year 1.
    pub nanos: u32,
}

const UNIX: i64 = 62_135_596_800; // seconds from year 1 to 1970
const MIN: i64 = -31_556_952_031_622_400;
const MAX: i64 = 31_556_951_999_999_999;
const SECOND: i64 = 1_000_000_000;

impl Time {
    /// The first instant of year 1, which takes no bytes where zero is empty.
    pub const ZERO: Time = Time {
        seconds: 0,
        nanos: 0,
    };
    /// The first instant of 1970.
    pub const UNIX_EPOCH: Time = Time {
        seconds: UNIX,
        nanos: 0,
    };

    /// The instant `seconds` and `nanos` after the first one of 1970.
    pub const fn from_unix(seconds: i64, nanos: u32) -> Time {
        Time {
            seconds: seconds.saturating_add(UNIX),
            nanos,
        }
    }

    /// Seconds since 1970, and nanoseconds after that second.
    pub const fn unix(self) -> (i64, u32) {
        (self.seconds.saturating_sub(UNIX), self.nanos)
    }

    /// The instant `nanos` nanoseconds after the first one of 1970.
    pub const fn from_unix_nanos(nanos: i64) -> Time {
        Time::from_unix(nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND) as u32)
    }

    /// Nanoseconds since 1970, if they fit.
    pub const fn unix_nanos(self) -> Option<i64> {
        let (seconds, nanos) = self.unix();
        let n = seconds as i128 * SECOND as i128 + nanos as i128;
        if n < i64::MIN as i128 || n > i64::MAX as i128 {
            return None;
        }
        Some(n as i64)
    }

    /// Reports whether the time is within its years, and its nanoseconds are below 10⁹.
    pub const fn is_valid(self) -> bool {
        self.nanos < SECOND as u32 && self.seconds >= MIN && self.seconds <= MAX
    }
}

/// An instant with the offset of its zone, the option `zone` of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ZonedTime {
    /// The instant.
    pub time: Time,
    /// Seconds east of UTC, within 18 hours.
    pub east: i32,
}

impl ZonedTime {
    /// Reports whether both parts are within their ranges.
    pub const fn is_valid(self) -> bool {
        self.time.is_valid() && -64_800 <= self.east && self.east <= 64_800
    }
}

/// A span of nanoseconds, which may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Duration(i64);

impl Duration {
    /// A span of this many nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Duration {
        Duration(nanos)
    }

    /// The span in nanoseconds.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }
}

impl TryFrom<core::time::Duration> for Duration {
    type Error = core::num::TryFromIntError;

    /// Fails beyond 292 years.
    fn try_from(d: core::time::Duration) -> Result<Self, Self::Error> {
        i64::try_from(d.as_nanos()).map(Duration)
    }
}

impl TryFrom<Duration> for core::time::Duration {
    type Error = core::num::TryFromIntError;

    /// Fails if the span is negative.
    fn try_from(d: Duration) -> Result<Self, Self::Error> {
        u64::try_from(d.0).map(core::time::Duration::from_nanos)
    }
}

#[cfg(feature = "std")]
mod system {
    use super::{Time, SECOND};
    use std::time::{Duration, SystemTime};

    impl From<SystemTime> for Time {
        fn from(t: SystemTime) -> Time {
            let nanos = match t.duration_since(SystemTime::UNIX_EPOCH) {
                Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
                Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
            };
            let second = i128::from(SECOND);
            let seconds = i64::try_from(nanos.div_euclid(second)).unwrap_or(i64::MAX);
            Time::from_unix(seconds, nanos.rem_euclid(second) as u32)
        }
    }

    impl Time {
        /// The time as the operating system has it, if it is within its range.
        pub fn system_time(self) -> Option<SystemTime> {
            let (seconds, nanos) = self.unix();
            let whole = Duration::from_secs(seconds.unsigned_abs());
            let second = if seconds < 0 {
                SystemTime::UNIX_EPOCH.checked_sub(whole)
            } else {
                SystemTime::UNIX_EPOCH.checked_add(whole)
            };
            second?.checked_add(Duration::from_nanos(u64::from(nanos)))
        }
    }
}

/// A complex number: of `f32` or `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Complex<F> {
    /// The real part.
    pub re: F,
    /// The imaginary part.
    pub im: F,
}
