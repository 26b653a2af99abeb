package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;

/** An opened sparse struct: the places of the fields that are there. */
public final class Sparse extends Sections {
  private final int[] from;
  private final int[] to;
  private final int bits; // where the bitmap starts
  private final int k; // its length
  private final int fields; // of the type
  private final int unknown; // fields that the type does not know
  private final int restScalars; // where their scalars start
  private final int endScalars;
  private final int[] restTails; // boundaries of their tails

  /** Bytes of memory that this class takes for a type of n fields. */
  static int heap(int n) {
    return 72 + 2 * (Slot.OBJECT + 4 * n + 7 & ~7) + 24;
  }

  /**
   * Opens a struct that {@link Decoder#openSparse} has checked so far. d has the ends of the n
   * tails.
   */
  Sparse(Decoder d, Layout t, int start, int k, int s, int n) throws ZmyException {
    fields = t.fields.length;
    from = new int[fields];
    to = new int[fields];
    bits = start + 5;
    this.k = k;
    int at = bits + k;
    endScalars = at + s;
    int tails = 0;
    int prev = d.first();
    boolean empty = false;
    for (int i = 0; i < fields; i++) {
      int size = t.fields[i].size();
      boolean has = has(d, i);
      if (size > 0) {
        from[i] = has ? at : -1;
        at += has ? size : 0;
        to[i] = at;
      } else {
        from[i] = prev;
        if (has && tails < n) {
          empty |= d.tail(tails) == prev;
          prev = d.tail(tails);
        }
        tails += has ? 1 : 0;
        to[i] = prev;
      }
    }
    int u = 0;
    for (int i = fields; i < 8 * k; i++) {
      u += has(d, i) ? 1 : 0;
    }
    unknown = u;
    int more = n - tails;
    int rest = endScalars - at;
    // Each unknown field is a tail, or takes a byte of the scalars at least.
    if (rest < 0 || more < 0 || more > u || rest < u - more || more == u && rest > 0) {
      throw d.fail(ErrorCode.SPARSE, start);
    }
    restScalars = at;
    restTails = new int[more + 1];
    restTails[0] = prev;
    for (int i = 0; i < more; i++) {
      restTails[i + 1] = d.tail(tails + i);
      empty |= restTails[i + 1] == restTails[i];
    }
    for (int i = 0; i < fields && !empty; i++) {
      empty = t.fields[i].size() > 0 && from[i] >= 0 && d.isZero(from[i], to[i]);
    }
    if (empty) {
      throw d.fail(ErrorCode.ZERO, start);
    }
    if (d.exact && u > 0) {
      throw d.fail(ErrorCode.VERSION, start);
    }
  }

  private boolean has(Decoder d, int i) {
    return i < 8 * k && (d.i8(bits + (i >> 3)) >> (i & 7) & 1) != 0;
  }

  @Override
  public int from(int i) {
    return from[i];
  }

  @Override
  public int to(int i) {
    return to[i];
  }

  /** Charges and copies the fields that the type does not know. */
  public Unknown unknown(Decoder d, int start) throws ZmyException {
    if (unknown == 0) {
      return Unknown.NONE;
    }
    charge(d, start);
    byte[] bitmap = d.copy(bits, bits + k);
    for (int i = 0; i < Math.min(fields, 8 * k); i++) {
      bitmap[i >> 3] &= (byte) ~(1 << (i & 7));
    }
    return Unknown.of(d, restScalars, endScalars, restTails, bitmap);
  }

  void charge(Decoder d, int start) throws ZmyException {
    if (unknown > 0) {
      int cost = k + endScalars - restScalars + Slot.SLOT_COST * (restTails.length - 1);
      d.charge(1, cost, Unknown.HEAP + cost, start);
    }
  }
}
