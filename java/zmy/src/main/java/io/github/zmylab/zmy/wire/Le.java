package io.github.zmylab.zmy.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Little-endian numbers in an array a, or in a buffer d if a is null. The buffer must be
 * little-endian too. A program that uses only one of the two pays nothing for the other: the
 * compiler prunes the branch that is never taken.
 */
@SuppressWarnings("NullAway") // one of a and d is null, and never both, which no type says
final class Le {
  private Le() {}

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle FLOAT = view(float[].class);
  private static final VarHandle DOUBLE = view(double[].class);

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  static byte i8(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? a[at] : d.get(at);
  }

  static short i16(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? (short) SHORT.get(a, at) : d.getShort(at);
  }

  static int i32(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? (int) INT.get(a, at) : d.getInt(at);
  }

  static long i64(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? (long) LONG.get(a, at) : d.getLong(at);
  }

  static float f32(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? (float) FLOAT.get(a, at) : d.getFloat(at);
  }

  static double f64(byte @Nullable [] a, @Nullable ByteBuffer d, int at) {
    return a != null ? (double) DOUBLE.get(a, at) : d.getDouble(at);
  }

  static void i8(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int v) {
    if (a != null) {
      a[at] = (byte) v;
    } else {
      d.put(at, (byte) v);
    }
  }

  static void i16(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int v) {
    if (a != null) {
      SHORT.set(a, at, (short) v);
    } else {
      d.putShort(at, (short) v);
    }
  }

  static void i32(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int v) {
    if (a != null) {
      INT.set(a, at, v);
    } else {
      d.putInt(at, v);
    }
  }

  static void i64(byte @Nullable [] a, @Nullable ByteBuffer d, int at, long v) {
    if (a != null) {
      LONG.set(a, at, v);
    } else {
      d.putLong(at, v);
    }
  }

  static void f32(byte @Nullable [] a, @Nullable ByteBuffer d, int at, float v) {
    i32(a, d, at, Float.floatToRawIntBits(v));
  }

  static void f64(byte @Nullable [] a, @Nullable ByteBuffer d, int at, double v) {
    i64(a, d, at, Double.doubleToRawLongBits(v));
  }

  /** The bytes as a little-endian buffer, for bulk copies of numbers. */
  static ByteBuffer buffer(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int length) {
    if (a != null) {
      return ByteBuffer.wrap(a, at, length).order(ByteOrder.LITTLE_ENDIAN);
    }
    return d.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(at + length).position(at);
  }

  /** Returns a copy of the bytes [from, to). */
  static byte[] copy(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    byte[] out = new byte[to - from];
    if (a != null) {
      System.arraycopy(a, from, out, 0, out.length);
    } else {
      d.get(from, out);
    }
    return out;
  }

  /** Copies n bytes of an array to a place. */
  static void put(byte @Nullable [] a, @Nullable ByteBuffer d, int at, byte[] b, int from, int n) {
    if (a != null) {
      System.arraycopy(b, from, a, at, n);
    } else {
      d.put(at, b, from, n);
    }
  }

  /** Moves n bytes to another place, which may overlap with the first. */
  static void move(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int n) {
    if (a != null) {
      System.arraycopy(a, from, a, to, n);
    } else {
      d.put(to, d, from, n);
    }
  }

  /** Sets n bytes to zero. */
  static void zero(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int n) {
    if (a != null) {
      Arrays.fill(a, at, at + n, (byte) 0);
      return;
    }
    for (int i = 0; i < n; i++) {
      d.put(at + i, (byte) 0);
    }
  }

  /** Reports whether all bytes are zero. */
  static boolean isZero(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    int i = from;
    for (; to - i >= 8; i += 8) {
      if (i64(a, d, i) != 0) {
        return false;
      }
    }
    for (; i < to; i++) {
      if (i8(a, d, i) != 0) {
        return false;
      }
    }
    return true;
  }
}
