package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Complex128;
import io.github.zmylab.zmy.Complex64;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.OffsetInstant;
import io.github.zmylab.zmy.Times;
import io.github.zmylab.zmy.ZmyException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The scalar types. Generated code reads those with a primitive type inline. */
public final class Scalars {
  private Scalars() {}

  /** Reads a value. */
  private interface Get<T> {
    T get(Decoder d, int at) throws ZmyException;
  }

  /** Writes a value. */
  private interface Put<T> {
    void put(Encoder e, int at, T v) throws ZmyException;
  }

  /** A type made of two functions. */
  private static final class Simple<T> extends Fixed<T> {
    private final T zero;
    private final Get<T> get;
    private final Put<T> put;
    private final @Nullable Comparator<T> order;
    private final boolean checked; // whether some bytes are no value

    Simple(int size, T zero, Get<T> get, Put<T> put, @Nullable Comparator<T> order, boolean checked) {
      super(size);
      this.zero = zero;
      this.get = get;
      this.put = put;
      this.order = order;
      this.checked = checked;
    }

    @Override
    public T zero() {
      return zero;
    }

    @Override
    int heap() {
      if (zero instanceof OffsetInstant) { // an Instant, and an offset with its text
        return Slot.REFERENCE + 24 + 24 + 96;
      }
      return zero instanceof Number || zero instanceof Boolean ? size() : Slot.REFERENCE + Slot.OBJECT + (size() + 7 & ~7);
    }

    @Override
    public T get(Decoder d, int at) throws ZmyException {
      return get.get(d, at);
    }

    @Override
    public void put(Encoder e, int at, T v) throws ZmyException {
      put.put(e, at, v == null ? zero : v);
    }

    @Override
    public void verify(Decoder d, int at) throws ZmyException {
      if (checked) {
        get.get(d, at);
      }
    }

    @Override
    @Nullable Comparator<T> order() {
      return order;
    }

    @Override
    String step(T key) {
      if (key instanceof Boolean) {
        return "[bool]";
      }
      if (this == UINT64) {
        return "[" + Long.toUnsignedString((Long) key) + "]";
      }
      return key instanceof Duration span ? "[" + span.toNanos() + "]" : "[" + key + "]";
    }
  }

  private static <T extends Comparable<T>> Fixed<T> of(int size, T zero, Get<T> get, Put<T> put) {
    return new Simple<>(size, zero, get, put, Comparator.naturalOrder(), false);
  }

  /** bool. */
  public static final Fixed<Boolean> BOOL =
      new Simple<>(1, false, Decoder::bool, (e, at, v) -> e.i8(at, v ? 1 : 0), Comparator.naturalOrder(), true);

  /** int8. */
  public static final Fixed<Byte> INT8 = of(1, (byte) 0, Decoder::i8, (e, at, v) -> e.i8(at, v));

  /** int16. */
  public static final Fixed<Short> INT16 = of(2, (short) 0, Decoder::i16, (e, at, v) -> e.i16(at, v));

  /** int32. */
  public static final Fixed<Integer> INT32 = of(4, 0, Decoder::i32, (e, at, v) -> e.i32(at, v));

  /** int64. */
  public static final Fixed<Long> INT64 = of(8, 0L, Decoder::i64, (e, at, v) -> e.i64(at, v));

  /** uint8, 0 to 255. */
  public static final Fixed<Integer> UINT8 = of(1, 0, (d, at) -> d.i8(at) & 0xff, (e, at, v) -> e.u8(at, v));

  /** uint16, 0 to 65,535. */
  public static final Fixed<Integer> UINT16 = of(2, 0, Decoder::u16, (e, at, v) -> e.u16(at, v));

  /** uint32, 0 to 2³²−1. */
  public static final Fixed<Long> UINT32 = of(4, 0L, Decoder::u32, (e, at, v) -> e.u32(at, v));

  /** uint64: the bits of a long. */
  public static final Fixed<Long> UINT64 =
      new Simple<>(8, 0L, Decoder::i64, (e, at, v) -> e.i64(at, v), Long::compareUnsigned, false);

  /** float32. */
  public static final Fixed<Float> FLOAT32 = of(4, 0f, Decoder::f32, (e, at, v) -> e.f32(at, v));

  /** float64. */
  public static final Fixed<Double> FLOAT64 = of(8, 0d, Decoder::f64, (e, at, v) -> e.f64(at, v));

  /** complex64. */
  public static final Fixed<Complex64> COMPLEX64 =
      new Simple<>(8, Complex64.ZERO, Scalars::complex64, Scalars::complex64, null, false);

  /** complex128. */
  public static final Fixed<Complex128> COMPLEX128 =
      new Simple<>(16, Complex128.ZERO, Scalars::complex128, Scalars::complex128, null, false);

  /** time. */
  public static final Fixed<Instant> TIME = new Simple<>(12, Times.ZERO, Scalars::time, Scalars::time, null, true);

  /** time with the offset of its zone. */
  public static final Fixed<OffsetInstant> ZONE =
      new Simple<>(16, OffsetInstant.ZERO, Scalars::zone, Scalars::zone, null, true);

  /** time as nanoseconds since 1970. */
  public static final Fixed<Instant> UNIX_NANO =
      new Simple<>(8, Times.ZERO, Scalars::unixNano, Scalars::unixNano, null, false);

  /** duration. */
  public static final Fixed<Duration> DURATION =
      new Simple<>(8, Duration.ZERO, Scalars::duration, Scalars::duration, Comparator.naturalOrder(), false);

  /** The complex number at a place. */
  public static Complex64 complex64(Decoder d, int at) {
    return new Complex64(d.f32(at), d.f32(at + 4));
  }

  /** Sets the value at a place. */
  public static void complex64(Encoder e, int at, Complex64 v) {
    e.f32(at, v.re());
    e.f32(at + 4, v.im());
  }

  /** The complex number at a place. */
  public static Complex128 complex128(Decoder d, int at) {
    return new Complex128(d.f64(at), d.f64(at + 8));
  }

  /** Sets the value at a place. */
  public static void complex128(Encoder e, int at, Complex128 v) {
    e.f64(at, v.re());
    e.f64(at + 8, v.im());
  }

  private static final long MIN_SECOND = Instant.MIN.getEpochSecond() + Times.UNIX;
  private static final long MAX_SECOND = Instant.MAX.getEpochSecond() + Times.UNIX;
  private static final int SECOND = 1_000_000_000;

  /** The time at a place. */
  public static Instant time(Decoder d, int at) throws ZmyException {
    long s = d.i64(at);
    int ns = d.i32(at + 8);
    if (ns < 0 || ns >= SECOND || s < MIN_SECOND || s > MAX_SECOND) {
      throw d.fail(ErrorCode.DOMAIN, at);
    }
    return Instant.ofEpochSecond(s - Times.UNIX, ns);
  }

  /** Sets the value at a place. */
  public static void time(Encoder e, int at, Instant v) {
    e.i64(at, v.getEpochSecond() + Times.UNIX);
    e.i32(at + 8, v.getNano());
  }

  private static final int MAX_OFFSET = 64_800;

  /** The time with its zone at a place. */
  public static OffsetInstant zone(Decoder d, int at) throws ZmyException {
    Instant t = time(d, at);
    int east = d.i32(at + 12);
    if (east < -MAX_OFFSET || east > MAX_OFFSET) {
      throw d.fail(ErrorCode.DOMAIN, at);
    }
    return new OffsetInstant(t, ZoneOffset.ofTotalSeconds(east));
  }

  /** Sets the value at a place. */
  public static void zone(Encoder e, int at, OffsetInstant v) {
    time(e, at, v.instant());
    e.i32(at + 12, v.offset().getTotalSeconds());
  }

  /** The nanoseconds since 1970 at a place, as a time. */
  public static Instant unixNano(Decoder d, int at) {
    long n = d.i64(at);
    if (n == 0) {
      return Times.ZERO;
    }
    if (n == Long.MIN_VALUE) { // the first instant of 1970, since 0 is the zero time
      return Instant.EPOCH;
    }
    return Instant.ofEpochSecond(Math.floorDiv(n, SECOND), Math.floorMod(n, SECOND));
  }

  /** Sets the nanoseconds since 1970. */
  public static void unixNano(Encoder e, int at, Instant v) throws ZmyException {
    long n = 0;
    if (v.equals(Instant.EPOCH)) {
      n = Long.MIN_VALUE;
    } else if (!v.equals(Times.ZERO)) {
      n = nanos(e, v.getEpochSecond(), v.getNano(), v);
    }
    e.i64(at, n);
  }

  /** The duration at a place. */
  public static Duration duration(Decoder d, int at) {
    return Duration.ofNanos(d.i64(at));
  }

  /** Sets the value at a place. */
  public static void duration(Encoder e, int at, Duration v) throws ZmyException {
    e.i64(at, v.equals(LEAST) ? Long.MIN_VALUE : nanos(e, v.getSeconds(), v.getNano(), v));
  }

  private static final Duration LEAST = Duration.ofNanos(Long.MIN_VALUE);

  /** The nanoseconds of s and ns. {@link Long#MIN_VALUE} is refused: it has another meaning. */
  private static long nanos(Encoder e, long s, int ns, Object v) throws ZmyException {
    long most = Long.MAX_VALUE / SECOND;
    if (s < -most - 1 || s > most) {
      throw Fixed.domain(e, v);
    }
    // Below zero the nanoseconds count towards it, so that the product alone could overflow.
    long whole = s < 0 ? (s + 1) * SECOND : s * SECOND;
    long part = s < 0 ? (long) ns - SECOND : ns;
    long n = whole + part;
    if (s < 0 ? n >= 0 || n == Long.MIN_VALUE : n < 0) {
      throw Fixed.domain(e, v);
    }
    return n;
  }
}
