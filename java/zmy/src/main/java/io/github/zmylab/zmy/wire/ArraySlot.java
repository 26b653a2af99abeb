package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An array of n values of variable size: a list, or an empty slot if all values are zero. */
final class ArraySlot<T extends @Nullable Object> extends Slot<List<T>> {
  private final Slot<T> elem;
  private final int n;

  ArraySlot(Slot<T> elem, int n) {
    this.elem = elem;
    this.n = n;
  }

  @Override
  int cost() {
    return n * elem.cost();
  }

  @Override
  int heap() {
    return REFERENCE + Lists.HEAP + n * elem.heap();
  }

  @Override
  public List<T> zero() {
    return Collections.nCopies(n, elem.zero());
  }

  @Override
  public List<T> read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return zero();
    }
    List<T> out = Lists.elements(elem, d, cells(d, from, to), depth);
    checkZero(d, from, to);
    return out;
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from < to) {
      Lists.verifyElements(elem, d, cells(d, from, to), depth);
      checkZero(d, from, to);
    }
  }

  private Cells cells(Decoder d, int from, int to) throws ZmyException {
    Cells c = elem.open(d, from, to);
    if (c.n != n) {
      throw d.fail(ErrorCode.COUNT, from);
    }
    return c;
  }

  private void checkZero(Decoder d, int from, int to) throws ZmyException {
    if (Zeros.isZeroList(d.a, d.d, from, to, n, elem.isDense())) {
      throw d.fail(ErrorCode.ZERO, from);
    }
  }

  @Override
  public void write(Encoder e, List<T> v, int depth) throws ZmyException {
    if (v == null || v.isEmpty()) {
      return;
    }
    Slots.count(e, v.size(), n);
    long zeros = 8 + (long) n * (4 + elem.front());
    e.lend(zeros);
    int at = e.pos;
    elem.writeColumn(e, Lists.indexed(v), Slot::index, depth);
    if (Zeros.isZeroList(e.a, e.d, at, e.pos, n, elem.isDense())) {
      e.pos = at;
    }
    e.lend(-zeros);
    e.checkSize();
  }
}
