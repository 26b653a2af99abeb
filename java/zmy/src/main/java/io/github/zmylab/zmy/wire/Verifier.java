package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;

/**
 * Checks structs by their layout. It has the checks, and their order, of generated code that reads.
 */
final class Verifier {
  private Verifier() {}

  static void dense(Layout t, Decoder d, int from, int to, int h, int head, int depth) throws ZmyException {
    d.open(t, from, to, h, head);
    int s = h & Layout.MAX_SECTION;
    int n = h >> 14 & Layout.MAX_SECTION;
    int es = Layout.wordSize(to - from);
    int words = from + head + s;
    int first = d.first();
    if (t.keeps) {
      unknown(t, d, from, to, h, head, false);
    }
    for (Layout.Field f : t.fields) {
      int at = from + head + f.offset();
      if (f.size() > 0) {
        if (f.offset() + f.size() <= s) {
          scalar(t, f, d, at, from);
        }
      } else if (f.reserved() && f.tail() < n) {
        int lo = f.tail() == 0 ? first : from + d.word(words + es * (f.tail() - 1), es);
        reserved(t, d, lo, from + d.word(words + es * f.tail(), es), false, from);
      }
    }
    int lo = first;
    for (Layout.Field f : t.fields) {
      if (f.size() > 0) {
        continue;
      }
      if (f.tail() >= n) {
        break;
      }
      int hi = from + d.word(words + es * f.tail(), es);
      tail(f, d, lo, hi, depth);
      lo = hi;
    }
  }

  static void sparse(Layout t, Decoder d, int from, int to, int h, int depth) throws ZmyException {
    Sparse z = d.openSparse(t, from, to, h);
    if (t.keeps) {
      z.charge(d, from);
    }
    for (int i = 0; i < t.fields.length; i++) {
      Layout.Field f = t.fields[i];
      if (f.size() > 0 && z.from(i) >= 0) {
        scalar(t, f, d, z.from(i), from);
      } else if (f.size() == 0 && f.reserved()) {
        reserved(t, d, z.from(i), z.to(i), false, from);
      }
    }
    for (int i = 0; i < t.fields.length; i++) {
      if (t.fields[i].size() == 0) {
        tail(t.fields[i], d, z.from(i), z.to(i), depth);
      }
    }
  }

  private static void scalar(Layout t, Layout.Field f, Decoder d, int at, int struct) throws ZmyException {
    Fixed<?> type = f.fixed();
    if (type == null) {
      reserved(t, d, at, at + f.size(), true, struct);
      return;
    }
    try {
      type.verify(d, at);
    } catch (ZmyException x) {
      throw x.in(f.name());
    }
  }

  private static void reserved(Layout t, Decoder d, int from, int to, boolean scalar, int struct)
      throws ZmyException {
    if (StructCodec.isEmpty(d, from, to, scalar)) {
      return;
    }
    if (t.keeps) {
      d.charge(1, Slot.SLOT_COST, Unknown.KEPT_HEAP, struct);
    } else if (d.exact) {
      throw d.fail(ErrorCode.VERSION, struct);
    }
  }

  private static void tail(Layout.Field f, Decoder d, int from, int to, int depth) throws ZmyException {
    Slot<?> type = f.slot();
    if (type == null) { // reserved
      return;
    }
    try {
      type.verify(d, from, to, depth);
    } catch (ZmyException x) {
      throw x.in(f.name());
    }
  }

  /** Charges the parts of a struct behind those of its type, and returns a copy if take is set. */
  static Unknown unknown(Layout t, Decoder d, int from, int to, int h, int head, boolean take) throws ZmyException {
    int s = h & Layout.MAX_SECTION;
    int n = h >> 14 & Layout.MAX_SECTION;
    if (s <= t.scalars && n <= t.tails) {
      return Unknown.NONE;
    }
    int more = n - t.tails;
    int cost = s - t.scalars + Slot.SLOT_COST * more;
    d.charge(1, cost, Unknown.HEAP + cost, from);
    if (!take) {
      return Unknown.NONE;
    }
    int es = Layout.wordSize(to - from);
    int words = from + head + s;
    int[] bounds = new int[more + 1];
    for (int i = 0; i <= more; i++) {
      int tail = t.tails + i - 1; // whose end it is
      bounds[i] = tail < 0 ? words + es * n : from + d.word(words + es * tail, es);
    }
    return Unknown.of(d, from + head + t.scalars, from + head + s, bounds, null);
  }
}
