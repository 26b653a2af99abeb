package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;

/**
 * An opened list. Its first and last boundary have been checked. Those between are checked when
 * their element is reached.
 */
final class Cells {
  final int from;
  final int to;
  final int n;

  /** The header that dense structs share. */
  final int h;

  /** Whether all elements are ASCII, if they are strings. */
  boolean ascii;

  private final int words; // where the words start
  private final int es; // size of a word, 0 for elements without words
  private final int size; // of elements without words

  /** The bounds of the element of the last {@link #step}. */
  int lo;

  int hi;

  private Cells(int from, int to, int n, int h, int words, int es, int size) {
    this.from = from;
    this.to = to;
    this.n = n;
    this.h = h;
    this.words = words;
    this.es = es;
    this.size = size;
  }

  /** Opens a list of slots. */
  static Cells slots(Decoder d, int from, int to) throws ZmyException {
    return words(d, from, to, 0, 0, 0);
  }

  /**
   * Opens words that start at offset at. Each element takes at least least bytes, which bounds
   * their number before memory is taken for them.
   */
  private static Cells words(Decoder d, int from, int to, int at, long least, int h) throws ZmyException {
    int length = to - from;
    int es = Layout.wordSize(length);
    if (length < at + 2 * es) {
      throw d.fail(ErrorCode.TRUNCATED, to);
    }
    int first = d.word(from + at, es);
    if (first < at + 2 * es || first > length || (first - at & es - 1) != 0) {
      throw d.fail(ErrorCode.COUNT, from);
    }
    int words = first - at >> es / 2; // no division: es is 2 or 4
    if (d.word(from + first - es, es) != length) {
      throw d.fail(ErrorCode.ENDS, from);
    }
    if (es == 4 && length - 2 * words <= Layout.NARROW) {
      throw d.fail(ErrorCode.WIDTH, from);
    }
    if ((words - 1) * least > length - first) {
      throw d.fail(ErrorCode.ENDS, from);
    }
    return new Cells(from, to, words - 1, h, from + at, es, 0);
  }

  /** Opens a list of dense structs. */
  static Cells dense(Decoder d, Layout t, int from, int to) throws ZmyException {
    int h = d.head(from, to);
    if (h >>> 28 != 0) {
      throw d.fail(ErrorCode.RESERVED, from);
    }
    if (!t.accepts(h)) {
      throw d.fail(ErrorCode.MIXED, from);
    }
    int s = h & Layout.MAX_SECTION;
    int n = h >> 14 & Layout.MAX_SECTION;
    if (n > 0) {
      return words(d, from, to, 4, s + 2L * n, h);
    }
    int length = to - from - 4;
    if (s == 0 || length == 0 || length % s != 0) {
      throw d.fail(ErrorCode.LENGTH, from);
    }
    return new Cells(from, to, length / s, h, 0, 0, s);
  }

  /** Opens a packed list, which must not be empty, of elements of size bytes. */
  static Cells packed(Decoder d, int from, int to, int size) throws ZmyException {
    if (from == to || (to - from) % size != 0) {
      throw d.fail(ErrorCode.LENGTH, from);
    }
    return new Cells(from, to, (to - from) / size, 0, 0, 0, size);
  }

  /** Sets the bounds to those of element i, which is the next one, and checks them. */
  void step(Decoder d, int i) throws ZmyException {
    if (es == 0) {
      lo = (h == 0 ? from : from + 4) + i * size;
      hi = lo + size;
      return;
    }
    lo = from + d.word(words + es * i, es);
    int end = d.word(words + es * (i + 1), es);
    hi = from + end;
    if (end < lo - from || end > to - from) {
      throw d.fail(ErrorCode.ENDS, lo);
    }
  }
}
