package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The state of one read: the message, and what limits are left. Places are absolute: indices of the
 * array or the buffer that the message is in.
 */
public final class Decoder {
  final byte @Nullable [] a;
  final @Nullable ByteBuffer d;
  final boolean exact;
  final int maxDepth;
  private final int start;
  private final int end;
  private long budget;
  private final long free; // units granted for what takes more memory than its units
  private long fat; // bytes of memory taken beyond two for each unit
  private long held; // units of the budget that are no longer free, since memory was taken for them

  /** What {@link #open} has found: of its struct, until it is called again. */
  private int[] ends = {};

  /** Bytes of scalars that the struct has which was opened last. */
  int scalars;

  /** Where its first tail starts. */
  int first;

  /**
   * Reads the message that is the bytes [from, to) of a, or of d where a is null.
   *
   * @throws ZmyException TOO_LARGE
   */
  Decoder(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, DecodeOptions o) throws ZmyException {
    this.a = a;
    this.d = d;
    start = from;
    end = to;
    exact = o.exact();
    maxDepth = o.maxDepth();
    budget = o.budget();
    free = (to - from) / 2 + (32 << 10);
    int max = Math.min(o.maxWire(), o.maxRaw());
    if (to - from > max) {
      throw new ZmyException(ErrorCode.TOO_LARGE, 0, (to - from) + " bytes, the limit is " + max);
    }
  }

  /** Reads an array. */
  public static Decoder of(byte[] message, int from, int to, DecodeOptions o) throws ZmyException {
    return new Decoder(message, null, from, to, o);
  }

  /** Reads what remains of a buffer, whose position stays. */
  public static Decoder of(ByteBuffer b, DecodeOptions o) throws ZmyException {
    if (b.hasArray()) {
      int at = b.arrayOffset();
      return new Decoder(b.array(), null, at + b.position(), at + b.limit(), o);
    }
    ByteBuffer le = b.order() == ByteOrder.LITTLE_ENDIAN ? b : b.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return new Decoder(null, le, b.position(), b.limit(), o);
  }

  /** Where the message starts. */
  public int start() {
    return start;
  }

  /** Where the message ends. */
  public int end() {
    return end;
  }

  /** Reports that only the reader's own version may be. */
  public boolean exact() {
    return exact;
  }

  /** The byte at a place. */
  public byte i8(int at) {
    return Le.i8(a, d, at);
  }

  /** The two bytes at a place. */
  public short i16(int at) {
    return Le.i16(a, d, at);
  }

  /** The same without sign. */
  public int u16(int at) {
    return Le.i16(a, d, at) & 0xffff;
  }

  /** The four bytes at a place. */
  public int i32(int at) {
    return Le.i32(a, d, at);
  }

  /** The same without sign. */
  public long u32(int at) {
    return Le.i32(a, d, at) & 0xffffffffL;
  }

  /** The eight bytes at a place. */
  public long i64(int at) {
    return Le.i64(a, d, at);
  }

  /** The float at a place. */
  public float f32(int at) {
    return Le.f32(a, d, at);
  }

  /** The double at a place. */
  public double f64(int at) {
    return Le.f64(a, d, at);
  }

  /** A byte that is 0 or 1. */
  public boolean bool(int at) throws ZmyException {
    byte b = Le.i8(a, d, at);
    if ((b & 0xfe) != 0) {
      throw fail(ErrorCode.DOMAIN, at);
    }
    return b != 0;
  }

  boolean isZero(int from, int to) {
    return Le.isZero(a, d, from, to);
  }

  byte[] copy(int from, int to) {
    return Le.copy(a, d, from, to);
  }

  /** The error at a place. */
  public ZmyException fail(ErrorCode code, int at) {
    return new ZmyException(code, at - start, "");
  }

  /**
   * Takes n times cost units from the budget, before their memory is taken: n times heap bytes. What
   * is beyond two bytes for each unit counts against the budget too, as far as it is not free.
   */
  void charge(long n, int cost, int heap, int at) throws ZmyException {
    long units = n * cost;
    if (units > budget) {
      throw new ZmyException(ErrorCode.BUDGET, at - start, "needs " + units + " units, " + budget + " are left");
    }
    if (heap > 2L * cost) {
      fat += n * (heap - 2L * cost);
      held = Math.max(0, (fat + 1) / 2 - free);
    }
    if (units > budget - held) {
      throw new ZmyException(
          ErrorCode.MEMORY, at - start, "needs " + n * heap + " bytes of memory; raise the budget of DecodeOptions");
    }
    budget -= units;
  }

  /** Does so for what takes no more than two bytes for each unit. */
  void charge(long n, int cost, int at) throws ZmyException {
    charge(n, cost, 0, at);
  }

  /** The header at the start of a struct's slot. */
  public int head(int from, int to) throws ZmyException {
    if (to - from < 4) {
      throw fail(ErrorCode.TRUNCATED, to);
    }
    return Le.i32(a, d, from);
  }

  int word(int at, int es) {
    return Layout.word(a, d, at, es);
  }

  /**
   * Opens a dense struct of any version: checks header, sections and ends. Afterwards {@link
   * #scalars()}, {@link #first()} and {@link #tail} say where things stand, until the next call.
   *
   * @param h the header, which stands at from if head is 4, or is shared by a list if that is 0
   */
  public void open(Layout t, int from, int to, int h, int head) throws ZmyException {
    check(t.check(a, d, from, to, h, head), from, to);
    scalars = h & Layout.MAX_SECTION;
    ends(t.tails, from, to, head + scalars, h >> 14 & Layout.MAX_SECTION);
    if (exact && h != t.head) {
      throw fail(ErrorCode.VERSION, from);
    }
  }

  private void check(@Nullable ErrorCode c, int from, int to) throws ZmyException {
    if (c != null) {
      throw fail(c, c == ErrorCode.TRUNCATED ? to : from);
    }
  }

  /** Keeps the first ends of n that stand at offset at of a container. */
  private void ends(int keep, int from, int to, int at, int n) {
    if (ends.length < keep) {
      ends = new int[Math.max(keep, 16)];
    }
    int es = Layout.wordSize(to - from);
    first = from + at + es * n;
    for (int i = 0; i < keep; i++) { // those that an older version does not have are empty
      ends[i] = i < n ? from + word(from + at + es * i, es) : i == 0 ? first : ends[i - 1];
    }
  }

  /** Bytes of scalars of the struct that was opened last. */
  public int scalars() {
    return scalars;
  }

  /** Where its first tail starts. */
  public int first() {
    return first;
  }

  /** Where tail i ends. */
  public int tail(int i) {
    return ends[i];
  }

  /** Does so for a struct of many fields: the result stays as it is. */
  public Sections sections(Layout t, int from, int to, int h, int head) throws ZmyException {
    open(t, from, to, h, head);
    return new Sections.Dense(this, t, from + head);
  }

  /** Opens a sparse struct: checks its header, bitmap, sections and ends. */
  public Sparse openSparse(Layout t, int from, int to, int h) throws ZmyException {
    check(t.checkSparse(a, d, from, to, h), from, to);
    int s = h & Layout.MAX_SECTION;
    int n = h >> 14 & Layout.MAX_SECTION;
    int k = i8(from + 4) & 0xff;
    ends(n, from, to, 5 + k + s, n);
    return new Sparse(this, t, from, k, s, n);
  }
}
