package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Structs of one type: as messages, in slots and in lists. Generated code has a subclass for each
 * type, which reads and writes the fields.
 */
public abstract class StructCodec<T> extends Slot<T> implements Codec<T> {
  private final String name;
  private final long fingerprint;
  private final int cost;
  private Layout layout = Layout.EMPTY; // until define
  private int heap; // 0 until it is computed
  private int skip; // structs that are not tried in the fast way; threads may disagree

  /** Structs after one that the fast way could not write, or not with its texts looked at together, until it is tried again. */
  private static final int AGAIN = 16;

  private static final int NEVER = Integer.MAX_VALUE;

  /** Failures in one message after which all that is left is written in the general way: the work is three times as much at most. */
  private static final int FAILURES = 2;

  /**
   * For generated code, which then calls {@link #define}.
   *
   * @param cost units of the budget that a struct takes: the sum of its fields'
   */
  protected StructCodec(String name, long fingerprint, int cost) {
    this.name = name;
    this.fingerprint = fingerprint;
    this.cost = cost;
  }

  /** Sets the fields. It is no part of the constructor because fields may hold the struct. */
  public final void define(Layout.Builder fields) {
    layout = fields.build();
  }

  /** The fields. */
  public final Layout layout() {
    return layout;
  }

  /** Reads a struct. Its header h is at from if head is 4, or shared by a list if head is 0. */
  protected abstract T read(Decoder d, int from, int to, int h, int head, int depth) throws ZmyException;

  /** Appends a struct with header h, which is written if head is 4. depth is that of the struct. */
  protected abstract void write(Encoder e, T v, int h, int head, int depth) throws ZmyException;

  /**
   * Appends a struct of the codec's own version to an array, see {@link Fast}. Generated code has this
   * method for structs that are not sparse, keep nothing unknown and have not too many fields.
   */
  protected int writeFast(Encoder e, byte[] a, int s, int end, T v, int head, int depth) throws ZmyException {
    return Fast.NEVER;
  }

  /** Appends a struct with header h, which is written if head is 4, in the fast way if that goes. */
  private void append(Encoder e, T v, int h, int head, int depth) throws ZmyException {
    if (e.a == null || h != layout.head || e.failed == FAILURES || skip == NEVER) {
      write(e, v, h, head, depth);
    } else if (skip > 0) {
      skip--;
      write(e, v, h, head, depth);
    } else {
      int s = e.pos;
      int end = e.narrowEnd();
      int level = e.level();
      long lent = e.lent();
      e.trying++;
      int p = fast(e, e.a, s, end, v, head, depth);
      e.trying--;
      if (p <= end) {
        e.pos = p;
        return;
      }
      e.back(s, level, lent);
      if (p == Fast.NEVER) {
        skip = NEVER;
      } else if (e.trying > 0) {
        throw Fast.Failed.FAILED;
      } else {
        e.failed++;
        skip = AGAIN;
      }
      write(e, v, h, head, depth);
    }
  }

  /** Writes v at s, and returns the position behind it; one behind end if that does not go. */
  private int fast(Encoder e, byte[] a, int s, int end, T v, int head, int depth) {
    try {
      int p = writeFast(e, a, s, end, v, head, depth);
      if (Fast.ascii(e)) {
        e.wide = Math.max(0, e.wide - 1);
        return p;
      }
      e.wide = AGAIN;
      if (e.a == a) {
        p = writeFast(e, a, s, end, v, head, depth);
        return Fast.ascii(e) ? p : Fast.NO;
      }
    } catch (ZmyException | RuntimeException x) { // of a list or map of the user, too: the general way comes to what is first
      Fast.ascii(e);
    }
    return Fast.NO;
  }

  /** The header of v when it is written: that of the type, unless v carries unknown parts. */
  protected int head(T v) {
    return layout.head;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  @Override
  int cost() {
    return cost;
  }

  @Override
  int heap() {
    if (heap == 0) { // ends, since a field can hold the struct by a list or a pointer only
      int sum = REFERENCE + OBJECT + (layout.keeps ? REFERENCE : 0);
      sum += layout.sparse ? Sparse.heap(layout.fields.length) : 0;
      for (Layout.Field f : layout.fields) {
        sum += f.heap();
      }
      heap = sum;
    }
    return heap;
  }

  // Messages.

  @Override
  public byte[] marshal(T v, EncodeOptions o) throws ZmyException {
    Encoder e = Encoders.take();
    try {
      e.begin(o);
      marshal(e, v);
      return e.bytes();
    } finally {
      Encoders.give(e);
    }
  }

  @Override
  public void marshal(T v, ByteBuffer dst, EncodeOptions o) throws ZmyException {
    ByteOrder order = dst.hasArray() ? ByteOrder.LITTLE_ENDIAN : dst.order();
    if (order != ByteOrder.LITTLE_ENDIAN) {
      dst.order(ByteOrder.LITTLE_ENDIAN);
    }
    Encoder e = Encoders.take();
    try {
      e.begin(dst, o);
      marshal(e, v);
      dst.position(dst.position() + e.length());
    } catch (BufferOverflowException x) {
      // Zero and sparse values need more room before they are finished than after.
      byte[] b = marshal(v, o);
      if (b.length > dst.remaining()) {
        throw x;
      }
      dst.put(b);
    } finally {
      Encoders.give(e);
      if (order != ByteOrder.LITTLE_ENDIAN) {
        dst.order(order);
      }
    }
  }

  private void marshal(Encoder e, T v) throws ZmyException {
    try {
      if (v == null) {
        throw e.fail(ErrorCode.NIL, "a message is a struct");
      }
      writeWhole(e, v, 1);
      e.checkSize();
    } catch (ZmyException x) {
      throw x.of(name);
    }
  }

  @Override
  public T unmarshal(byte[] b, int from, int to, DecodeOptions o) throws ZmyException {
    Objects.checkFromToIndex(from, to, b.length);
    try {
      return read(Decoder.of(b, from, to, o));
    } catch (ZmyException x) {
      throw x.of(name);
    }
  }

  @Override
  public T unmarshal(ByteBuffer src, DecodeOptions o) throws ZmyException {
    try {
      T v = read(Decoder.of(src, o));
      src.position(src.limit());
      return v;
    } catch (ZmyException x) {
      throw x.of(name);
    }
  }

  private T read(Decoder d) throws ZmyException {
    return read(d, d.start(), d.end(), d.head(d.start(), d.end()), 4, 1);
  }

  @Override
  public void verify(byte[] b, int from, int to, DecodeOptions o) throws ZmyException {
    Objects.checkFromToIndex(from, to, b.length);
    try {
      verify(Decoder.of(b, from, to, o));
    } catch (ZmyException x) {
      throw x.of(name);
    }
  }

  @Override
  public void verify(ByteBuffer b, DecodeOptions o) throws ZmyException {
    try {
      verify(Decoder.of(b, o));
    } catch (ZmyException x) {
      throw x.of(name);
    }
  }

  private void verify(Decoder d) throws ZmyException {
    verify(d, d.start(), d.end(), d.head(d.start(), d.end()), 4, 1);
  }

  // Slots.

  @Override
  public T read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return zero();
    }
    int h = d.head(from, to);
    T v = read(d, from, to, h, 4, depth + 1);
    checkZero(d, from, to, h);
    return v;
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from < to) {
      int h = d.head(from, to);
      verify(d, from, to, h, 4, depth + 1);
      checkZero(d, from, to, h);
    }
  }

  private static void checkZero(Decoder d, int from, int to, int h) throws ZmyException {
    if (Zeros.isZeroStruct(d.a, d.d, from, to, h, 4)) {
      throw d.fail(ErrorCode.ZERO, from);
    }
  }

  @Override
  public void write(Encoder e, T v, int depth) throws ZmyException {
    if (v == null) {
      return;
    }
    int at = e.pos;
    e.lend(front());
    append(e, v, head(v), 4, depth + 1);
    if (e.isZeroStruct(at)) {
      e.pos = at;
    }
    e.lend(-front());
  }

  /** Appends a struct with its header, also if it is zero. depth is that of the struct. */
  final void writeWhole(Encoder e, T v, int depth) throws ZmyException {
    if (layout.sparse) {
      e.lend(front());
      write(e, v, head(v), 4, depth);
      e.lend(-front());
    } else {
      append(e, v, head(v), 4, depth);
    }
  }

  /**
   * Header, scalars and ends. A zero struct, and a sparse one before its zero fields are removed,
   * have them.
   */
  @Override
  int front() {
    return 4 + layout.scalars + 2 * layout.tails;
  }

  // Lists.

  @Override
  boolean isDense() {
    return !layout.sparse;
  }

  @Override
  Cells open(Decoder d, int from, int to) throws ZmyException {
    return layout.sparse ? super.open(d, from, to) : Cells.dense(d, layout, from, to);
  }

  @Override
  T element(Decoder d, Cells c, int i, int depth) throws ZmyException {
    if (layout.sparse) {
      return super.element(d, c, i, depth);
    }
    c.step(d, i);
    return read(d, c.lo, c.hi, c.h, 0, depth + 1);
  }

  @Override
  void verifyElement(Decoder d, Cells c, int i, int depth) throws ZmyException {
    if (layout.sparse) {
      super.verifyElement(d, c, i, depth);
      return;
    }
    c.step(d, i);
    verify(d, c.lo, c.hi, c.h, 0, depth + 1);
  }

  @Override
  void writeColumn(Encoder e, List<T> all, IntFunction<String> steps, int depth) throws ZmyException {
    if (layout.sparse) {
      super.writeColumn(e, all, steps, depth);
      return;
    }
    int n = all.size();
    int i = 0;
    try {
      int h = layout.head;
      for (; layout.keeps && i < n; i++) {
        h = larger(h, head(required(e, all.get(i))));
      }
      i = 0;
      int s = e.reserve(4);
      e.i32(s, h);
      Words w = h >> 14 > 0 ? new Words(e, s, n) : null;
      for (; i < n; i++) {
        append(e, required(e, all.get(i)), h, 0, depth + 1);
        if (w != null) {
          w.mark(e);
        }
      }
    } catch (ZmyException x) {
      throw x.in(steps.apply(i));
    }
  }

  private static <T> T required(Encoder e, T v) throws ZmyException {
    if (v == null) {
      throw e.fail(ErrorCode.NIL, "an element of a list of structs");
    }
    return v;
  }

  /** The smallest header that has room for structs of both headers. */
  private static int larger(int x, int y) {
    if (x == y) {
      return x;
    }
    return Layout.header(
        Math.max(x & Layout.MAX_SECTION, y & Layout.MAX_SECTION), Math.max(x >> 14, y >> 14));
  }

  // Verification, by the layout.

  void verify(Decoder d, int from, int to, int h, int head, int depth) throws ZmyException {
    enter(d, from, depth);
    if (layout.sparse) {
      Verifier.sparse(layout, d, from, to, h, depth);
    } else {
      Verifier.dense(layout, d, from, to, h, head, depth);
    }
  }

  /** Refuses a depth beyond the limit. */
  protected static void enter(Decoder d, int from, int depth) throws ZmyException {
    if (depth > d.maxDepth) {
      throw d.fail(ErrorCode.DEPTH, from);
    }
  }

  /** Adds the bytes of reserved field i to u, unless they are empty. */
  protected static Unknown keep(Decoder d, Unknown u, int i, int from, int to, boolean scalar, int struct)
      throws ZmyException {
    if (isEmpty(d, from, to, scalar)) {
      return u;
    }
    d.charge(1, SLOT_COST, Unknown.KEPT_HEAP, struct);
    return u.withKept(i, d.copy(from, to));
  }

  /**
   * Drops the bytes of a reserved field, or refuses them if only the reader's own version is
   * accepted.
   */
  protected static void drop(Decoder d, int from, int to, boolean scalar, int struct) throws ZmyException {
    if (d.exact && !isEmpty(d, from, to, scalar)) {
      throw d.fail(ErrorCode.VERSION, struct);
    }
  }

  static boolean isEmpty(Decoder d, int from, int to, boolean scalar) {
    return scalar ? d.isZero(from, to) : from == to;
  }

  /** The parts of the struct that was opened last behind those of the type. */
  protected final Unknown unknown(Decoder d, int from, int to, int h, int head) throws ZmyException {
    return Verifier.unknown(layout, d, from, to, h, head, true);
  }
}
