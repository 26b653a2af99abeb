package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;

/**
 * The boundaries of a list that is being written: one before the first element, and one after each.
 */
final class Words {
  private final int s; // where the list starts
  private final int at; // where its words start
  private final int n; // words in all
  private int next; // where the next one goes
  private boolean wide;

  /**
   * Reserves the words of a list of count elements that starts at s: with its words, or with a
   * header before them if it is of dense structs.
   */
  Words(Encoder e, int s, int count) throws ZmyException {
    this.s = s;
    n = count + 1;
    at = e.reserve(Math.multiplyExact(2, n));
    next = at;
    mark(e);
  }

  /** Stores the boundary where the bytes written so far end. */
  void mark(Encoder e) throws ZmyException {
    int end = e.pos - s;
    if (!wide) {
      if (end <= Layout.NARROW) {
        Le.i16(e.a, e.d, next, end);
        next += 2;
        return;
      }
      end = widen(e, end);
    }
    Le.i32(e.a, e.d, next, end);
    next += 4;
  }

  private int widen(Encoder e, int end) throws ZmyException {
    int done = (next - at) / 2;
    e.widen(at, n);
    for (int i = done - 1; i >= 0; i--) {
      e.i32(at + 4 * i, (Le.i16(e.a, e.d, at + 2 * i) & 0xffff) + 2 * n);
    }
    next = at + 4 * done;
    wide = true;
    return end + 2 * n;
  }
}
