package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.lang.ref.WeakReference;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one write: into an array that grows, or straight into a buffer of the caller.
 *
 * <p>Structs, lists and maps are written with words of two bytes. If one turns out longer than
 * 65,535 bytes, its words are widened by moving the bytes behind them once. Writing it again would
 * take time exponential in the depth.
 */
public final class Encoder {
  static final byte[] NONE = {};

  byte @Nullable [] a;
  @Nullable ByteBuffer d; // if a is null
  int pos;
  int maxDepth;
  private int start;
  private int limit;
  private boolean fixed;
  private int maxWire;
  private long lent; // bytes beyond maxWire that values may take until they are finished

  /** What {@link Encoders} keeps from one message to the next. */
  final @Nullable WeakReference<Thread> owner; // null if the encoder is for one message only

  boolean busy;
  private byte[] own;
  final LowBytes low = new LowBytes();
  int wide; // structs whose texts Fast looks at one by one, since there was one that is not ASCII
  int trying; // structs inside each other that are being written in the fast way
  int failed; // structs of this message that the fast way could not write
  final @Nullable String[] keys = new @Nullable String[Pairs.FEW]; // of a map that Fast writes
  final @Nullable String[] values = new @Nullable String[Pairs.FEW];
  private final List<Pairs<?, ?>> pairs = new ArrayList<>(); // of maps inside each other
  private int level; // maps that are being written

  /** An encoder that its thread uses again. */
  Encoder(@Nullable WeakReference<Thread> owner, byte[] own) {
    this.owner = owner;
    this.own = own;
  }

  /** Writes into an array, or into a larger one if that is too small. */
  Encoder(byte[] array, EncodeOptions o) {
    this(null, array);
    begin(o);
  }

  /** Writes into the remaining bytes of a little-endian buffer. Its position stays. */
  Encoder(ByteBuffer b, EncodeOptions o) {
    this(null, NONE);
    begin(b, o);
  }

  /** Begins a message in the encoder's own array. */
  void begin(EncodeOptions o) {
    a = own;
    d = null;
    start = 0;
    pos = 0;
    fixed = false;
    options(o);
    limit = Math.min(own.length, maxWire); // an array may be larger, from a message before
  }

  /** Begins a message in the remaining bytes of a little-endian buffer. Its position stays. */
  void begin(ByteBuffer b, EncodeOptions o) {
    boolean array = b.hasArray();
    a = array ? b.array() : null;
    d = array ? null : b;
    start = b.position() + (array ? b.arrayOffset() : 0);
    pos = start;
    limit = start + b.remaining();
    fixed = true;
    options(o);
  }

  private void options(EncodeOptions o) {
    maxWire = Math.min(o.maxWire(), o.maxRaw());
    maxDepth = o.maxDepth();
    lent = 0;
    trying = 0;
    failed = 0;
  }

  /** Forgets the message and its memory, but for an own array of at most max bytes. */
  void end(int max) {
    if (!fixed && a != null && a.length <= max) {
      own = a;
    }
    if (own.length > max) {
      own = NONE;
    }
    a = null;
    d = null;
    leaveMaps(0);
  }

  /** The last position at which a narrow value that starts at {@link #pos} may end. */
  int narrowEnd() {
    return pos + Math.min(limit - pos, Layout.NARROW);
  }

  /** The number of maps that are being written. */
  int level() {
    return level;
  }

  /** The bytes that {@link #lend} has lent. */
  long lent() {
    return lent;
  }

  /** Goes back to where a struct begins that could not be written, and to the state of that time. */
  void back(int at, int level, long lent) {
    pos = at;
    leaveMaps(level);
    this.lent = lent;
    if (!fixed && a != null) {
      limit = Math.min(a.length, maxWire); // it may have grown by what was lent
    }
  }

  /** Forgets maps that an exception has left. */
  private void leaveMaps(int to) {
    for (; level > to; level--) {
      pairs.get(level - 1).drop();
    }
  }

  /** Memory for the pairs of a map, until {@link #leaveMap}. */
  @SuppressWarnings("unchecked") // it is empty
  <K, V extends @Nullable Object> Pairs<K, V> enterMap() {
    if (level == pairs.size()) {
      pairs.add(new Pairs<Object, Object>());
    }
    return (Pairs<K, V>) pairs.get(level++);
  }

  void leaveMap() {
    pairs.get(--level).clear();
  }

  /** The number of bytes written so far. */
  int length() {
    return pos - start;
  }

  /** A copy of the bytes written so far. */
  byte[] bytes() {
    return a != null ? Arrays.copyOf(a, pos) : Le.copy(a, d, start, pos);
  }

  /** The index of the next byte. */
  public int at() {
    return pos;
  }

  /** Removes the bytes written from an index on. */
  public void back(int at) {
    pos = at;
  }

  /**
   * Makes room for n bytes, which the caller then sets, and returns the index of the first.
   *
   * @throws ZmyException TOO_LARGE
   * @throws BufferOverflowException if the caller's buffer is too small
   */
  public int reserve(int n) throws ZmyException {
    int p = pos;
    if (n > limit - p) {
      grow(n);
    }
    pos = p + n;
    return p;
  }

  private void grow(int n) throws ZmyException {
    long need = (long) pos - start + n;
    if (need > maxWire + lent) {
      throw tooLarge(need);
    }
    if (fixed || a == null) {
      throw new BufferOverflowException();
    }
    if (need > a.length) {
      a = Arrays.copyOf(a, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(need, 2L * a.length)));
    }
    limit = (int) Math.max(need, Math.min(a.length, maxWire));
  }

  private ZmyException tooLarge(long n) {
    return new ZmyException(ErrorCode.TOO_LARGE, -1, n + " bytes, the limit is " + maxWire);
  }

  /**
   * Lets a value take n bytes beyond the limit while it is written. A sparse struct, or a zero
   * value, takes bytes that are removed when it is finished, so the limit must not count them. The
   * caller then gives them back by a negative n.
   */
  void lend(long n) {
    lent += n;
  }

  /** Refuses the bytes written so far if they are beyond the limit. */
  void checkSize() throws ZmyException {
    if (pos - start > maxWire + lent) {
      throw tooLarge(pos - start);
    }
  }

  /** The exception for a value. */
  public ZmyException fail(ErrorCode code, String detail) {
    return new ZmyException(code, -1, detail);
  }

  /** Refuses a depth beyond the limit. */
  public void enter(int depth) throws ZmyException {
    if (depth > maxDepth) {
      throw fail(ErrorCode.DEPTH, "maxDepth is " + maxDepth);
    }
  }

  /** Sets a byte that was reserved. */
  public void i8(int at, int v) {
    Le.i8(a, d, at, v);
  }

  /** Sets two bytes. */
  public void i16(int at, int v) {
    Le.i16(a, d, at, v);
  }

  /** Sets four bytes. */
  public void i32(int at, int v) {
    Le.i32(a, d, at, v);
  }

  /** Sets eight bytes. */
  public void i64(int at, long v) {
    Le.i64(a, d, at, v);
  }

  /** Sets a float. */
  public void f32(int at, float v) {
    Le.f32(a, d, at, v);
  }

  /** Sets a double. */
  public void f64(int at, double v) {
    Le.f64(a, d, at, v);
  }

  /** Sets an unsigned byte. */
  public void u8(int at, int v) throws ZmyException {
    if (v >>> 8 != 0) {
      throw domain(v);
    }
    Le.i8(a, d, at, v);
  }

  /** Sets two bytes, unsigned. */
  public void u16(int at, int v) throws ZmyException {
    if (v >>> 16 != 0) {
      throw domain(v);
    }
    Le.i16(a, d, at, v);
  }

  /** Sets four bytes, unsigned. */
  public void u32(int at, long v) throws ZmyException {
    if (v >>> 32 != 0) {
      throw domain(v);
    }
    Le.i32(a, d, at, (int) v);
  }

  private ZmyException domain(long v) {
    return fail(ErrorCode.DOMAIN, Long.toString(v));
  }

  /** Sets bytes to zero. */
  public void zero(int at, int n) {
    Le.zero(a, d, at, n);
  }

  /** Sets bytes from an array. */
  void put(int at, byte[] b, int from, int n) {
    Le.put(a, d, at, b, from, n);
  }

  /** Appends bytes. */
  public void bytes(byte[] b) throws ZmyException {
    put(reserve(b.length), b, 0, b.length);
  }

  /** Sets the n bytes of a reserved field to b, or to zeros if it is null. */
  public void kept(int at, int n, byte @Nullable [] b) {
    zero(at, n);
    if (b != null) {
      put(at, b, 0, Math.min(n, b.length));
    }
  }

  /** Appends text. */
  public void text(String s) throws ZmyException {
    int p = reserve(s.length());
    if (!ascii(s, p)) {
      textSlow(s, p);
    }
  }

  /**
   * Sets the bytes of a text if it is ASCII, and reports whether it is. Otherwise the bytes are not
   * text.
   */
  private boolean ascii(String s, int p) {
    if (Latin1.SEEN) {
      byte[] v = Latin1.bytes(s);
      return v != null && Latin1.copy(v, a, d, p);
    }
    lowBytes(s, p);
    return low.ascii();
  }

  /** Sets the low bytes of all characters of a text; {@link #low} then tells whether it is ASCII. */
  private void lowBytes(String s, int p) {
    if (a != null) {
      low.copy(s, a, p);
      return;
    }
    int n = s.length();
    if (own.length < n) {
      own = new byte[n];
    }
    low.copy(s, own, 0);
    Le.put(null, d, p, own, 0, n);
  }

  /**
   * Appends a column of texts if all of them are ASCII, the column is narrow and there is room for
   * it, and reports whether that was so. Otherwise the bytes are not text.
   */
  boolean asciiColumn(List<String> all) throws ZmyException {
    int n = all.size();
    int s = reserve(Math.multiplyExact(2, n + 1));
    int room = limit;
    int p = pos;
    int w = s;
    boolean ascii = true;
    Le.i16(a, d, w, p - s);
    for (int i = 0; i < n; i++) {
      String text = all.get(i);
      if (text == null || text.length() > room - p) {
        ascii = false;
        break;
      }
      if (Latin1.SEEN) {
        byte[] v = Latin1.bytes(text);
        if (v == null || !Latin1.copy(v, a, d, p)) {
          return false;
        }
      } else {
        lowBytes(text, p);
      }
      p += text.length();
      w += 2;
      Le.i16(a, d, w, p - s);
    }
    ascii &= Latin1.SEEN || low.ascii();
    pos = p;
    return ascii && p - s <= Layout.NARROW;
  }

  /** Appends any text at p. */
  private void textSlow(String s, int p) throws ZmyException {
    long n = Utf8.length(s, 0);
    if (n < 0) {
      throw fail(ErrorCode.UTF8, "a surrogate stands alone");
    }
    pos = p;
    if (n > Integer.MAX_VALUE - 8) {
      throw tooLarge(n);
    }
    reserve((int) n);
    Utf8.put(a, d, p, s);
  }

  /** Makes room for n bytes at from, by moving the bytes behind. */
  private void shift(int from, int n) throws ZmyException {
    int m = pos;
    reserve(n);
    move(from, from + n, m - from);
  }

  void move(int from, int to, int n) {
    Le.move(a, d, from, to, n);
  }

  /** Makes room for n words of four bytes where there are n of two. */
  void widen(int at, int n) throws ZmyException {
    shift(at + 2 * n, 2 * n);
  }

  /**
   * Stores the ends of a finished struct. It starts at s, its words at at, and ends are the lengths
   * from s to the end of each tail. Generated code stores the ends of narrow structs inline.
   */
  public void end(int s, int at, int[] ends) throws ZmyException {
    int n = ends.length;
    if (pos - s <= Layout.NARROW) {
      for (int i = 0; i < n; i++) {
        i16(at + 2 * i, ends[i]);
      }
      return;
    }
    widen(at, n);
    for (int i = 0; i < n; i++) {
      i32(at + 4 * i, ends[i] + 2 * n);
    }
    checkSize();
  }

  /**
   * Finishes a struct with the header h of a newer version: its own, or one that the elements of a
   * list share. The carried parts are inserted behind each section. If h has still more, the rest
   * is zeros and empty tails.
   *
   * @param head 4 if the struct has a header, 0 if a list shares it
   */
  public void endNewer(int s, int head, Layout t, int h, int[] ends, Unknown u) throws ZmyException {
    int hs = h & Layout.MAX_SECTION;
    int hn = h >> 14 & Layout.MAX_SECTION;
    int at = s + head + t.scalars;
    int more = hs - t.scalars + 2 * (hn - t.tails);
    int own = pos - s; // without what is carried
    int from = at + 2 * t.tails;
    shift(from, more);
    zero(at, hs - t.scalars);
    put(at, u.scalars, 0, u.scalars.length);
    bytes(u.tails);
    if (head != 0) {
      i32(s, h);
    }
    int[] all = new int[hn];
    int n = 0;
    for (int end : ends) {
      all[n++] = end + more;
    }
    for (int end : u.ends) {
      all[n++] = own + more + end;
    }
    while (n < hn) {
      all[n++] = pos - s;
    }
    end(s, at + hs - t.scalars, all);
  }

  /**
   * Finishes a sparse struct. It has been written as a dense one with its header. Zero fields are
   * removed, and the carried ones are appended to each section.
   */
  public void endSparse(int s, Layout t, int[] ends, Unknown u) throws ZmyException {
    int old = s + 4 + t.scalars + 2 * t.tails; // where its tails start now
    byte[] bitmap = new byte[Math.max((t.fields.length + 7) / 8, u.bits == null ? 0 : u.bits.length)];
    byte[] scalars = new byte[t.scalars + u.scalars.length];
    int[] kept = new int[t.tails + u.ends.length];
    int used = 0;
    int n = 0;
    int prev = old - s;
    for (int i = 0; i < t.fields.length; i++) {
      Layout.Field f = t.fields[i];
      int from = s + 4 + f.offset();
      boolean has;
      if (f.size() > 0) {
        has = !Le.isZero(a, d, from, from + f.size());
        for (int j = 0; has && j < f.size(); j++) {
          scalars[used++] = Le.i8(a, d, from + j);
        }
      } else {
        has = ends[f.tail()] > prev;
        if (has) {
          prev = ends[f.tail()];
          kept[n++] = prev - (old - s);
        }
      }
      bitmap[i >> 3] |= (byte) ((has ? 1 : 0) << (i & 7));
    }
    for (int i = 0; u.bits != null && i < u.bits.length; i++) {
      bitmap[i] |= u.bits[i];
    }
    System.arraycopy(u.scalars, 0, scalars, used, u.scalars.length);
    used += u.scalars.length;
    for (int end : u.ends) {
      kept[n++] = prev - (old - s) + end;
    }
    bytes(u.tails);
    int k = bitmap.length;
    while (k > 0 && bitmap[k - 1] == 0) {
      k--;
    }
    if (used > Layout.MAX_SECTION || n > Layout.MAX_SECTION) {
      throw fail(ErrorCode.TOO_LARGE, "a section of a struct has " + Math.max(used, n) + " bytes or tails");
    }
    int front = s + 5 + k + used + 2 * n;
    int m = pos;
    if (front > old) {
      reserve(front - old);
    }
    move(old, front, m - old);
    pos = m - old + front;
    i32(s, Layout.header(used, n) | Layout.SPARSE_BIT);
    i8(s + 4, k);
    put(s + 5, bitmap, 0, k);
    put(s + 5 + k, scalars, 0, used);
    int[] all = Arrays.copyOf(kept, n);
    for (int i = 0; i < n; i++) {
      all[i] += front - s;
    }
    end(s, front - 2 * n, all);
  }

  /** Reports whether the struct written from s on, with its header, is the zero value. */
  boolean isZeroStruct(int s) {
    return pos > s && Zeros.isZeroStruct(a, d, s, pos, Le.i32(a, d, s), 4);
  }
}
