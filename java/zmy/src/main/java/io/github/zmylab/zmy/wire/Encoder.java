package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of one write: into an array that grows, or straight into a buffer of the caller.
 *
 * <p>Structs, lists and maps are written with words of two bytes; one that turns out longer than
 * 65,535 bytes is widened by one move. Starting again would be exponential in the depth.
 */
public final class Encoder {
  byte @Nullable [] a;
  final @Nullable ByteBuffer d; // where there is no array
  int pos;
  final int maxDepth;
  private final int start;
  private int limit;
  private final boolean fixed;
  private final int maxWire;
  private long lent; // bytes beyond maxWire for what may be taken back

  /** Writes into an array, or a larger one where that is too small. */
  Encoder(byte[] array, EncodeOptions o) {
    a = array;
    d = null;
    start = 0;
    limit = array.length;
    fixed = false;
    maxWire = Math.min(o.maxWire(), o.maxRaw());
    maxDepth = o.maxDepth();
  }

  /** Writes into what remains of a little-endian buffer, whose position stays. */
  Encoder(ByteBuffer b, EncodeOptions o) {
    boolean array = b.hasArray();
    a = array ? b.array() : null;
    d = array ? null : b;
    start = b.position() + (array ? b.arrayOffset() : 0);
    pos = start;
    limit = start + b.remaining();
    fixed = true;
    maxWire = Math.min(o.maxWire(), o.maxRaw());
    maxDepth = o.maxDepth();
  }

  /** Bytes written so far. */
  int length() {
    return pos - start;
  }

  /** What was written, as an array of its own. */
  byte[] bytes() {
    return a != null ? Arrays.copyOf(a, pos) : Le.copy(a, d, start, pos);
  }

  /** Where room ends without growing. */
  int end() {
    return limit;
  }

  /** Where the next byte goes. */
  public int at() {
    return pos;
  }

  /** Takes back what was written from a place on. */
  public void back(int at) {
    pos = at;
  }

  /**
   * Makes room for n bytes, which the caller then sets, and returns where they start.
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
    limit = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(need, 2L * limit));
    a = Arrays.copyOf(a, limit);
  }

  private ZmyException tooLarge(long n) {
    return new ZmyException(ErrorCode.TOO_LARGE, -1, n + " bytes, the limit is " + maxWire);
  }

  /**
   * Lets a value take n bytes more than the limit while it is written: those that are pressed
   * together or taken back then, which the message does not have. A negative n takes that back.
   */
  void lend(long n) {
    lent += n;
  }

  /** Holds what was written so far against the limit. */
  void checkSize() throws ZmyException {
    if (pos - start > maxWire + lent) {
      throw tooLarge(pos - start);
    }
  }

  /** The error of a value. */
  public ZmyException fail(ErrorCode code, String detail) {
    return new ZmyException(code, -1, detail);
  }

  /** Refuses what is deeper than the limit. */
  public void enter(int depth) throws ZmyException {
    if (depth > maxDepth) {
      throw fail(ErrorCode.DEPTH, "maxDepth is " + maxDepth);
    }
  }

  /** Sets a byte of reserved room. */
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

  /** Sets a byte without sign. */
  public void u8(int at, int v) throws ZmyException {
    if (v >>> 8 != 0) {
      throw domain(v);
    }
    Le.i8(a, d, at, v);
  }

  /** Sets two bytes without sign. */
  public void u16(int at, int v) throws ZmyException {
    if (v >>> 16 != 0) {
      throw domain(v);
    }
    Le.i16(a, d, at, v);
  }

  /** Sets four bytes without sign. */
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

  /** Sets reserved room of n bytes to b, or to zeros if that is null: a reserved field. */
  public void kept(int at, int n, byte @Nullable [] b) {
    zero(at, n);
    if (b != null) {
      put(at, b, 0, Math.min(n, b.length));
    }
  }

  /** Texts from this length on are copied first and looked at then: 1.8 times as fast at 100 characters. */
  private static final int LONG = 16;

  /** Appends text. */
  public void text(String s) throws ZmyException {
    int p = reserve(s.length());
    byte[] v = Latin1.bytes(s);
    if (v == null) {
      textChars(s, p);
    } else if (!Latin1.copy(v, a, d, p)) {
      textSlow(s, 0, p);
    }
  }

  private void textChars(String s, int p) throws ZmyException {
    if (a == null) {
      textDirect(s, p);
    } else if (s.length() >= LONG) {
      textLong(s, a, p);
    } else {
      textShort(s, a, p);
    }
  }

  private void textShort(String s, byte[] b, int p) throws ZmyException {
    int n = s.length();
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      if (c >= 0x80) {
        textSlow(s, i, p + i);
        return;
      }
      b[p + i] = (byte) c;
    }
  }

  @SuppressWarnings("deprecation") // low bytes are what is asked for
  private void textLong(String s, byte[] b, int p) throws ZmyException {
    int n = s.length();
    s.getBytes(0, n, b, p);
    int or = 0;
    for (int i = 0; i < n; i++) {
      or |= s.charAt(i);
    }
    if (or >= 0x80) {
      textSlow(s, 0, p);
    }
  }

  private void textDirect(String s, int p) throws ZmyException {
    int n = s.length();
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      if (c >= 0x80) {
        textSlow(s, i, p + i);
        return;
      }
      i8(p + i, c);
    }
  }

  /** Appends the characters from i on, whatever they are, at p. */
  private void textSlow(String s, int i, int p) throws ZmyException {
    long more = Utf8.length(s, i);
    if (more < 0) {
      throw fail(ErrorCode.UTF8, "a surrogate stands alone");
    }
    pos = p;
    if (more > Integer.MAX_VALUE - 8) {
      throw tooLarge(more);
    }
    reserve((int) more);
    for (int end = s.length(); i < end; ) {
      int c = s.codePointAt(i);
      i += Character.charCount(c);
      if (c < 0x80) {
        i8(p++, c);
        continue;
      }
      if (c < 0x800) {
        i8(p++, 0xc0 | c >> 6);
      } else {
        if (c < 0x10000) {
          i8(p++, 0xe0 | c >> 12);
        } else {
          i8(p++, 0xf0 | c >> 18);
          i8(p++, 0x80 | c >> 12 & 0x3f);
        }
        i8(p++, 0x80 | c >> 6 & 0x3f);
      }
      i8(p++, 0x80 | c & 0x3f);
    }
  }

  /** Moves what stands in [from, pos) by n bytes up, after making room. */
  private void shift(int from, int n) throws ZmyException {
    int m = pos;
    reserve(n);
    move(from, from + n, m - from);
  }

  void move(int from, int to, int n) {
    Le.move(a, d, from, to, n);
  }

  /** Makes room for n words of four bytes where n of two stand. */
  void widen(int at, int n) throws ZmyException {
    shift(at + 2 * n, 2 * n);
  }

  /**
   * Stores the ends of a struct that is finished: s is where it starts, at where its ends stand, and
   * ends are the lengths from s to the end of each tail. It is the general form of what generated
   * code does inline for a narrow struct.
   *
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
   * Does so for a struct that is written under the header h of a newer version, its own or one that
   * the elements of a list share: what it carries goes behind each section, and zeros and empty
   * tails where h has still more.
   *
   * @param head 4 if the header stands in the struct, 0 if it is shared
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
   * Does so for a sparse struct: it stands as a dense one with its header and is pressed together.
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

  /** Reports whether the struct with its header that was written from s on is the zero value. */
  boolean isZeroStruct(int s) {
    return pos > s && isZeroStruct(s, pos, Le.i32(a, d, s), 4);
  }

  boolean isZeroStruct(int from, int to, int h, int head) {
    return Zeros.isZeroStruct(a, d, from, to, h, head);
  }
}
