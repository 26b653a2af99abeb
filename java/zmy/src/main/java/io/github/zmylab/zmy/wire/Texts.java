package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/** Strings. A column of strings is one run of text. If all of it is ASCII, one check is enough. */
final class Texts extends Slot<String> {
  static final Comparator<String> ORDER = Utf8::compare;

  /** Bytes of memory of a string and its array, without its text. */
  static final int HEAP = 48;

  @Override
  int heap() {
    return REFERENCE + HEAP;
  }

  @Override
  public String zero() {
    return "";
  }

  @Override
  public String read(Decoder d, int from, int to, int depth) throws ZmyException {
    boolean ascii = Utf8.isAscii(d.a, d.d, from, to);
    if (!ascii && !Utf8.isValid(d.a, d.d, from, to)) {
      throw d.fail(ErrorCode.UTF8, from);
    }
    return Utf8.string(d.a, d.d, from, to, ascii);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (!Utf8.isValid(d.a, d.d, from, to)) {
      throw d.fail(ErrorCode.UTF8, from);
    }
  }

  @Override
  public void write(Encoder e, String v, int depth) throws ZmyException {
    if (v != null) {
      e.text(v);
    }
  }

  /**
   * Writes the column in one pass if it is ASCII, narrow and fits the buffer; otherwise in the
   * general way.
   */
  @Override
  void writeColumn(Encoder e, List<String> all, IntFunction<String> steps, int depth) throws ZmyException {
    int s = e.pos;
    if (!e.asciiColumn(all)) {
      e.pos = s;
      super.writeColumn(e, all, steps, depth);
    }
  }

  @Override
  Cells open(Decoder d, int from, int to) throws ZmyException {
    return open(d, from, to, false);
  }

  /** Opens a column and checks all of it, and the order of keys. */
  static Cells open(Decoder d, int from, int to, boolean keys) throws ZmyException {
    Cells c = Cells.slots(d, from, to);
    int i = 0;
    try {
      c.step(d, 0);
      int first = c.lo;
      int lo = 0;
      int hi = 0;
      for (; i < c.n; i++) {
        c.step(d, i);
        if (c.lo < c.hi && Utf8.continues(d.i8(c.lo))) {
          throw d.fail(ErrorCode.UTF8, c.lo);
        }
        if (keys && i > 0 && compare(d, lo, hi, c.lo, c.hi) >= 0) {
          throw d.fail(ErrorCode.KEY_ORDER, c.lo);
        }
        lo = c.lo;
        hi = c.hi;
      }
      c.ascii = Utf8.isAscii(d.a, d.d, first, to);
      for (i = 0; i < c.n && !c.ascii; i++) {
        c.step(d, i);
        if (!Utf8.isValid(d.a, d.d, c.lo, c.hi)) {
          throw d.fail(ErrorCode.UTF8, c.lo);
        }
      }
    } catch (ZmyException x) {
      throw x.in(index(i));
    }
    return c;
  }

  @Override
  String element(Decoder d, Cells c, int i, int depth) throws ZmyException {
    c.step(d, i);
    return Utf8.string(d.a, d.d, c.lo, c.hi, c.ascii);
  }

  @Override
  void verifyElement(Decoder d, Cells c, int i, int depth) {} // open has checked it

  /** Compares two ranges of the message as unsigned bytes. */
  static int compare(Decoder d, int x, int xEnd, int y, int yEnd) {
    int n = Math.min(xEnd - x, yEnd - y);
    for (int i = 0; i < n; i++) {
      int diff = (d.i8(x + i) & 0xff) - (d.i8(y + i) & 0xff);
      if (diff != 0) {
        return diff;
      }
    }
    return (xEnd - x) - (yEnd - y);
  }
}
