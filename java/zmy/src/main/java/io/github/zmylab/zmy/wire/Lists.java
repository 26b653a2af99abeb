package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Lists of values that are no primitive numbers. */
final class Lists<T extends @Nullable Object> extends Slot<List<T>> {
  /**
   * Bytes of memory of a list by itself: the list, its array's header, and the state of opening it.
   */
  static final int HEAP = 96;

  private final Slot<T> elem;

  Lists(Slot<T> elem) {
    this.elem = elem;
  }

  @Override
  public List<T> zero() {
    return List.of();
  }

  @Override
  public List<T> read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return List.of();
    }
    return elements(elem, d, open(elem, d, from, to), depth);
  }

  /** Opens the list and charges it. */
  private static Cells open(Slot<?> elem, Decoder d, int from, int to) throws ZmyException {
    Cells c = elem.open(d, from, to);
    d.charge(c.n, elem.cost(), elem.heap(), from);
    d.charge(1, 0, HEAP, from);
    return c;
  }

  /** Reads all elements of an opened column. */
  static <T extends @Nullable Object> List<T> elements(Slot<T> elem, Decoder d, Cells c, int depth) throws ZmyException {
    @Nullable Object[] out = new @Nullable Object[c.n];
    int i = 0;
    try {
      for (; i < out.length; i++) {
        out[i] = elem.element(d, c, i, depth);
      }
    } catch (ZmyException x) {
      throw x.in(index(i));
    }
    return Slots.list(out);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from < to) {
      verifyElements(elem, d, open(elem, d, from, to), depth);
    }
  }

  static void verifyElements(Slot<?> elem, Decoder d, Cells c, int depth) throws ZmyException {
    int i = 0;
    try {
      for (; i < c.n; i++) {
        elem.verifyElement(d, c, i, depth);
      }
    } catch (ZmyException x) {
      throw x.in(index(i));
    }
  }

  @Override
  public void write(Encoder e, List<T> v, int depth) throws ZmyException {
    if (v != null && !v.isEmpty()) {
      elem.writeColumn(e, indexed(v), Slot::index, depth);
    }
  }

  /** The list, or a copy if it has no fast access by index. */
  static <T extends @Nullable Object> List<T> indexed(List<T> v) {
    return v instanceof RandomAccess ? v : new ArrayList<>(v);
  }
}
