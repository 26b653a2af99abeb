package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.BigFloat;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import org.jspecify.annotations.Nullable;

/** Big floats: precision, form, exponent and mantissa. */
final class BigFloats<T extends @Nullable BigFloat> extends Slot<T> {
  private static final int HEAD = 9;

  /** Bound of precision and exponent. Without it a few bytes could be a number of gigabytes. */
  private static final int MAX = 65_536;

  private static final int MAX_MODE = 5;
  private static final int FINITE = 1;

  private final T zero; // null if the type is a pointer

  BigFloats(T zero) {
    this.zero = zero;
  }

  @Override
  public T zero() {
    return zero;
  }

  /** The fault of the parts of a number, or null. */
  private static @Nullable ErrorCode fault(long precision, int form, int exponent, int length, int first, int last) {
    if (precision > MAX
        || exponent > MAX
        || exponent < -MAX
        || form >> 6 != 0
        || (form & 7) > MAX_MODE
        || (form >> 3 & 3) > 2) {
      return ErrorCode.DOMAIN;
    }
    if ((form >> 3 & 3) != FINITE) {
      return exponent != 0 || length > 0 ? ErrorCode.DOMAIN : null;
    }
    if (length == 0 || first >= 0 || last == 0) {
      return ErrorCode.NOT_MINIMAL;
    }
    return 8L * length - Integer.numberOfTrailingZeros(last) > precision ? ErrorCode.DOMAIN : null;
  }

  /** Checks [from, to). The place of a fault is at. */
  static void check(Decoder d, int from, int to, int at) throws ZmyException {
    if (to - from < HEAD) {
      throw d.fail(ErrorCode.LENGTH, at);
    }
    int length = to - from - HEAD;
    int first = length == 0 ? 0 : d.i8(from + HEAD);
    int last = length == 0 ? 0 : d.i8(to - 1);
    @Nullable ErrorCode c = fault(d.u32(from), d.i8(from + 4) & 0xff, d.i32(from + 5), length, first, last);
    if (c != null) {
      throw d.fail(c, at);
    }
  }

  static BigFloat get(Decoder d, int from, int to) {
    return new BigFloat(d.i32(from), d.i8(from + 4), d.i32(from + 5), d.copy(from + HEAD, to));
  }

  @Override
  @SuppressWarnings("unchecked")
  public T read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return zero;
    }
    verify(d, from, to, depth);
    return (T) get(d, from, to);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return;
    }
    check(d, from, to, from);
    if (zero != null && d.isZero(from, to)) {
      throw d.fail(ErrorCode.ZERO, from);
    }
  }

  /** Appends a number, which may be 0. */
  static void append(Encoder e, BigFloat v) throws ZmyException {
    byte[] m = v.mantissa();
    int first = m.length == 0 ? 0 : m[0];
    int last = m.length == 0 ? 0 : m[m.length - 1];
    @Nullable ErrorCode c = fault(v.precision() & 0xffffffffL, v.form(), v.exponent(), m.length, first, last);
    if (c != null) {
      throw e.fail(c, "big float");
    }
    int at = e.reserve(HEAD);
    e.i32(at, v.precision());
    e.i8(at + 4, v.form());
    e.i32(at + 5, v.exponent());
    e.bytes(m);
  }

  @Override
  public void write(Encoder e, T v, int depth) throws ZmyException {
    if (v == null) {
      return;
    }
    int at = e.pos;
    append(e, v);
    if (zero != null && Le.isZero(e.a, e.d, at, e.pos)) {
      e.pos = at;
    }
  }
}
