package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Lists of anything but primitive numbers. */
final class Lists<T extends @Nullable Object> extends Slot<List<T>> {
  /** Bytes of memory of a list by itself: what opens it, the list, its array's header. */
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
    Cells c = elem.open(d, from, to);
    d.charge(c.n, elem.cost(), elem.heap(), from);
    d.charge(1, 0, HEAP, from);
    return elements(elem, d, c, depth);
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
    if (from == to) {
      return;
    }
    Cells c = elem.open(d, from, to);
    d.charge(c.n, elem.cost(), elem.heap(), from);
    d.charge(1, 0, HEAP, from);
    verifyElements(elem, d, c, depth);
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

  /** The same list with fast access by index. */
  static <T extends @Nullable Object> List<T> indexed(List<T> v) {
    return v instanceof RandomAccess ? v : new ArrayList<>(v);
  }
}
