package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Big integers: a sign, then the magnitude with its most significant byte first. */
final class BigInts<T extends @Nullable BigInteger> extends Slot<T> {
  /** Bytes of memory of a number of 64 bits: its object, its words, a copy of its bytes. */
  private static final int HEAP = 104;

  private final T zero; // null if the type is a pointer

  BigInts(T zero) {
    this.zero = zero;
  }

  @Override
  public T zero() {
    return zero;
  }

  /** Checks [from, to). The place of a fault is at. */
  static void check(Decoder d, int from, int to, int at) throws ZmyException {
    if (from == to) {
      throw d.fail(ErrorCode.LENGTH, at);
    }
    int sign = d.i8(from) & 0xff;
    if (sign > 1 || sign == 1 && to - from == 1) {
      throw d.fail(ErrorCode.DOMAIN, at);
    }
    if (to - from > 1 && d.i8(from + 1) == 0) {
      throw d.fail(ErrorCode.NOT_MINIMAL, at);
    }
  }

  static BigInteger get(Decoder d, int from, int to) {
    if (to - from == 1) {
      return BigInteger.ZERO;
    }
    return new BigInteger(d.i8(from) == 0 ? 1 : -1, d.copy(from + 1, to));
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
    d.charge(1, 0, HEAP, from);
    if (zero != null && to - from == 1) {
      throw d.fail(ErrorCode.ZERO, from);
    }
  }

  /** Appends a number, which may be 0. */
  static void append(Encoder e, BigInteger v) throws ZmyException {
    e.i8(e.reserve(1), v.signum() < 0 ? 1 : 0);
    if (v.signum() != 0) {
      byte[] b = v.abs().toByteArray();
      int skip = b[0] == 0 ? 1 : 0;
      e.put(e.reserve(b.length - skip), b, skip, b.length - skip);
    }
  }

  @Override
  public void write(Encoder e, T v, int depth) throws ZmyException {
    if (v != null && (zero == null || v.signum() != 0)) {
      append(e, v);
    }
  }
}
