package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Arrays of primitive numbers. If an array has the bytes of the message, they are copied in one
 * call.
 */
public final class Packed<A> {
  /** Copies elements from a place on to an array. */
  private interface Get<A> {
    void get(Decoder d, int at, A out) throws ZmyException;
  }

  private interface Put<A> {
    void put(Encoder e, int at, A v) throws ZmyException;
  }

  final int size; // of an element
  final IntFunction<A> make;
  final ToIntFunction<A> length;
  private final Get<A> get;
  private final Put<A> put;
  final boolean checked; // whether some bytes are no value: booleans only

  private Packed(int size, IntFunction<A> make, ToIntFunction<A> length, Get<A> get, Put<A> put, boolean checked) {
    this.size = size;
    this.make = make;
    this.length = length;
    this.get = get;
    this.put = put;
    this.checked = checked;
  }

  /** Reads n elements. */
  A get(Decoder d, int at, int n) throws ZmyException {
    A out = make.apply(n);
    get.get(d, at, out);
    return out;
  }

  /** Sets all elements. */
  void put(Encoder e, int at, A v) throws ZmyException {
    put.put(e, at, v);
  }

  private static ByteBuffer in(Decoder d, int at, int length) {
    return Le.buffer(d.a, d.d, at, length);
  }

  private static ByteBuffer out(Encoder e, int at, int length) {
    return Le.buffer(e.a, e.d, at, length);
  }

  /** bool. */
  public static final Packed<boolean[]> BOOL =
      new Packed<>(1, boolean[]::new, v -> v.length, Packed::bools, Packed::bools, true);

  /** int8, and uint8 as bytes. */
  public static final Packed<byte[]> INT8 =
      new Packed<>(
          1,
          byte[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, v.length).get(v),
          (e, at, v) -> e.put(at, v, 0, v.length),
          false);

  /** int16. */
  public static final Packed<short[]> INT16 =
      new Packed<>(
          2,
          short[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, 2 * v.length).asShortBuffer().get(v),
          (e, at, v) -> out(e, at, 2 * v.length).asShortBuffer().put(v),
          false);

  /** int32. */
  public static final Packed<int[]> INT32 =
      new Packed<>(
          4,
          int[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, 4 * v.length).asIntBuffer().get(v),
          (e, at, v) -> out(e, at, 4 * v.length).asIntBuffer().put(v),
          false);

  /** int64, and uint64 as bits. */
  public static final Packed<long[]> INT64 =
      new Packed<>(
          8,
          long[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, 8 * v.length).asLongBuffer().get(v),
          (e, at, v) -> out(e, at, 8 * v.length).asLongBuffer().put(v),
          false);

  /** uint16 as int. */
  public static final Packed<int[]> UINT16 =
      new Packed<>(2, int[]::new, v -> v.length, Packed::uint16s, Packed::uint16s, false);

  /** uint32 as long. */
  public static final Packed<long[]> UINT32 =
      new Packed<>(4, long[]::new, v -> v.length, Packed::uint32s, Packed::uint32s, false);

  /** float32. */
  public static final Packed<float[]> FLOAT32 =
      new Packed<>(
          4,
          float[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, 4 * v.length).asFloatBuffer().get(v),
          (e, at, v) -> out(e, at, 4 * v.length).asFloatBuffer().put(v),
          false);

  /** float64. */
  public static final Packed<double[]> FLOAT64 =
      new Packed<>(
          8,
          double[]::new,
          v -> v.length,
          (d, at, v) -> in(d, at, 8 * v.length).asDoubleBuffer().get(v),
          (e, at, v) -> out(e, at, 8 * v.length).asDoubleBuffer().put(v),
          false);

  private static void bools(Decoder d, int at, boolean[] out) throws ZmyException {
    int i = 0;
    try {
      for (; i < out.length; i++) {
        out[i] = d.bool(at + i);
      }
    } catch (ZmyException x) {
      throw x.in(Slot.index(i));
    }
  }

  private static void bools(Encoder e, int at, boolean[] v) {
    for (int i = 0; i < v.length; i++) {
      e.i8(at + i, v[i] ? 1 : 0);
    }
  }

  private static void uint16s(Decoder d, int at, int[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = d.u16(at + 2 * i);
    }
  }

  private static void uint16s(Encoder e, int at, int[] v) throws ZmyException {
    int i = 0;
    try {
      for (; i < v.length; i++) {
        e.u16(at + 2 * i, v[i]);
      }
    } catch (ZmyException x) {
      throw x.in(Slot.index(i));
    }
  }

  private static void uint32s(Decoder d, int at, long[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = d.u32(at + 4 * i);
    }
  }

  private static void uint32s(Encoder e, int at, long[] v) throws ZmyException {
    int i = 0;
    try {
      for (; i < v.length; i++) {
        e.u32(at + 4 * i, v[i]);
      }
    } catch (ZmyException x) {
      throw x.in(Slot.index(i));
    }
  }

  /** A list of such elements in a tail. */
  Slot<A> list() {
    return new PackedList<>(this);
  }

  /** A list of primitive numbers. */
  private static final class PackedList<A> extends Slot<A> {
    private final Packed<A> p;
    private final A zero;

    PackedList(Packed<A> p) {
      this.p = p;
      zero = p.make.apply(0);
    }

    @Override
    public A zero() {
      return zero;
    }

    @Override
    int heap() {
      return REFERENCE + OBJECT + 8;
    }

    @Override
    public A read(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from == to) {
        return zero;
      }
      return p.get(d, from, open(d, from, to, p.size));
    }

    /** Checks the length of a list, charges it and returns its count. */
    private static int open(Decoder d, int from, int to, int size) throws ZmyException {
      if ((to - from) % size != 0) {
        throw d.fail(ErrorCode.LENGTH, from);
      }
      int n = (to - from) / size;
      d.charge(n, size, from);
      return n;
    }

    @Override
    public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
      int n = open(d, from, to, p.size);
      if (p.checked && n > 0) {
        p.get(d, from, n);
      }
    }

    @Override
    public void write(Encoder e, A v, int depth) throws ZmyException {
      int n = v == null ? 0 : p.length.applyAsInt(v);
      if (n > 0) {
        p.put(e, e.reserve(Slots.bytes(n, p.size)), v);
      }
    }
  }

  /** An array of n such elements among the scalars, or in a tail if it is long. */
  Fixed<A> array(int n) {
    return new PackedArray<>(this, n);
  }

  /** An array of primitive numbers. */
  private static final class PackedArray<A> extends Fixed<A> {
    private final Packed<A> p;
    private final int n;

    PackedArray(Packed<A> p, int n) {
      super(p.size * n);
      this.p = p;
      this.n = n;
    }

    @Override
    public A zero() {
      return p.make.apply(n);
    }

    @Override
    int heap() {
      return Slot.REFERENCE + Slot.OBJECT + (size() + 7 & ~7);
    }

    @Override
    public A get(Decoder d, int at) throws ZmyException {
      verify(d, at);
      return p.get(d, at, n);
    }

    @Override
    public void put(Encoder e, int at, A v) throws ZmyException {
      if (v == null) {
        e.zero(at, size());
        return;
      }
      Slots.count(e, p.length.applyAsInt(v), n);
      p.put(e, at, v);
    }

    @Override
    public void verify(Decoder d, int at) throws ZmyException {
      for (int i = 0; p.checked && i < n; i++) {
        if ((d.i8(at + i) & 0xfe) != 0) { // only booleans are checked
          throw d.fail(ErrorCode.DOMAIN, at);
        }
      }
    }
  }
}
