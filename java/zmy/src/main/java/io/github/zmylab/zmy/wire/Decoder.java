package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The state of one read: the message, and the budget that is left. Places are indices of the array
 * or the buffer that has the message.
 */
public final class Decoder {
  private static final int[] NONE = {};

  final byte @Nullable [] a;
  final @Nullable ByteBuffer d;
  final boolean exact;
  final int maxDepth;
  private final int start;
  private final int end;
  private long budget;
  private final long free; // units of memory beyond the budget that are granted
  private long fat; // bytes of memory taken beyond two for each unit
  private long held; // units of the budget taken for such memory

  /** Results of {@link #open} for its struct, until it is called again. */
  private int[] ends = NONE;

  private int scalars;
  private int first;

  /**
   * Reads the message that is the bytes [from, to) of a, or of d if a is null.
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
    free = (to - from) / 2 + (32 << 10); // one byte for each of the message, and 64 KiB
    int max = Math.min(o.maxWire(), o.maxRaw());
    if (to - from > max) {
      throw new ZmyException(ErrorCode.TOO_LARGE, 0, (to - from) + " bytes, the limit is " + max);
    }
  }

  /** Reads an array. */
  public static Decoder of(byte[] message, int from, int to, DecodeOptions o) throws ZmyException {
    return new Decoder(message, null, from, to, o);
  }

  /** Reads the remaining bytes of a buffer. Its position stays. */
  public static Decoder of(ByteBuffer b, DecodeOptions o) throws ZmyException {
    if (b.hasArray()) {
      int at = b.arrayOffset();
      return new Decoder(b.array(), null, at + b.position(), at + b.limit(), o);
    }
    ByteBuffer le = b.order() == ByteOrder.LITTLE_ENDIAN ? b : b.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return new Decoder(null, le, b.position(), b.limit(), o);
  }

  /** The index where the message starts. */
  public int start() {
    return start;
  }

  /** The index where the message ends. */
  public int end() {
    return end;
  }

  /** Reports whether only the reader's own version is accepted. */
  public boolean exact() {
    return exact;
  }

  /** The byte at a place. */
  public byte i8(int at) {
    return Le.i8(a, d, at);
  }

  /** The two bytes at a place, signed. */
  public short i16(int at) {
    return Le.i16(a, d, at);
  }

  /** The two bytes at a place, unsigned. */
  public int u16(int at) {
    return Le.i16(a, d, at) & 0xffff;
  }

  /** The four bytes at a place, signed. */
  public int i32(int at) {
    return Le.i32(a, d, at);
  }

  /** The four bytes at a place, unsigned. */
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

  /** The boolean at a place: 0 or 1. */
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

  /** The exception for a fault at a place. */
  public ZmyException fail(ErrorCode code, int at) {
    return new ZmyException(code, at - start, "");
  }

  /**
   * Charges n values of cost units and heap bytes of memory each. Callers do so before they
   * allocate. Memory beyond two bytes for each unit counts against the budget too, as far as it is
   * not free (spec/FORMAT.md, section 9).
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

  /** Charges values that take at most two bytes for each unit. */
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
   * Opens a dense struct of any version: checks header, sections and ends. {@link #scalars()},
   * {@link #first()} and {@link #tail} return their places, until the next call.
   *
   * @param h the header, which is at from if head is 4, or shared by a list if head is 0
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

  /** Keeps the first ends of n, whose words are at offset at of a container. */
  private void ends(int keep, int from, int to, int at, int n) {
    if (ends.length < keep) {
      ends = new int[Math.max(keep, 16)];
    }
    int es = Layout.wordSize(to - from);
    first = from + at + es * n;
    for (int i = 0; i < keep; i++) { // tails that an older version does not have are empty
      ends[i] = i < n ? from + word(from + at + es * i, es) : i == 0 ? first : ends[i - 1];
    }
  }

  /** The number of bytes of scalars of the struct that was opened last. */
  public int scalars() {
    return scalars;
  }

  /** The place where its first tail starts. */
  public int first() {
    return first;
  }

  /** The place where tail i ends. */
  public int tail(int i) {
    return ends[i];
  }

  /** Opens a dense struct of many fields. The result stays valid when others are opened. */
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
