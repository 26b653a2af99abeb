package io.github.zmylab.zmy.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Recognises zero values by their bytes, which must be well-formed. */
final class Zeros {
  private Zeros() {}

  /** Reports whether the scalars of a struct are zero and its tails empty. */
  static boolean isZeroStruct(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int h, int head) {
    if (h >>> 28 != 0) { // sparse
      return to - from == 5;
    }
    int s = h & Layout.MAX_SECTION;
    int n = h >> 14 & Layout.MAX_SECTION;
    return to - from == head + s + Layout.wordSize(to - from) * n && Le.isZero(a, d, from + head, from + head + s);
  }

  /** Reports whether all n elements of a list are zero. */
  static boolean isZeroList(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int n, boolean dense) {
    int es = Layout.wordSize(to - from);
    if (!dense) {
      return to - from == es * (n + 1);
    }
    int h = Le.i32(a, d, from);
    if (h >> 14 == 0) {
      return Le.isZero(a, d, from + 4, to);
    }
    int at = from + 4;
    for (int i = 0; i < n; i++) {
      int lo = Layout.word(a, d, at + es * i, es);
      int hi = Layout.word(a, d, at + es * (i + 1), es);
      if (!isZeroStruct(a, d, from + lo, from + hi, h, 0)) {
        return false;
      }
    }
    return true;
  }
}
