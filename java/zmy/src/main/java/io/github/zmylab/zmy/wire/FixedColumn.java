package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.List;
import java.util.function.IntFunction;

/** Values of a fixed size side by side: elements of a list, or values of a map. */
final class FixedColumn<T> extends Slot<T> {
  final Fixed<T> type;

  FixedColumn(Fixed<T> type) {
    this.type = type;
  }

  @Override
  int cost() {
    return type.size();
  }

  @Override
  int heap() {
    return Math.max(type.heap(), REFERENCE + OBJECT);
  }

  @Override
  public T zero() {
    return type.zero();
  }

  @Override
  Cells open(Decoder d, int from, int to) throws ZmyException {
    return Cells.packed(d, from, to, type.size());
  }

  @Override
  T element(Decoder d, Cells c, int i, int depth) throws ZmyException {
    return type.get(d, c.from + i * type.size());
  }

  @Override
  void verifyElement(Decoder d, Cells c, int i, int depth) throws ZmyException {
    type.verify(d, c.from + i * type.size());
  }

  @Override
  void writeColumn(Encoder e, List<T> all, IntFunction<String> steps, int depth) throws ZmyException {
    int n = all.size();
    int size = type.size();
    int at = e.reserve(Slots.bytes(n, size));
    int i = 0;
    try {
      for (; i < n; i++) {
        type.put(e, at + i * size, all.get(i));
      }
    } catch (ZmyException x) {
      throw x.in(steps.apply(i));
    }
  }

  @Override
  public T read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (to - from != type.size()) {
      throw d.fail(ErrorCode.LENGTH, from);
    }
    return type.get(d, from);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    read(d, from, to, depth);
  }

  @Override
  public void write(Encoder e, T v, int depth) throws ZmyException {
    type.put(e, e.reserve(type.size()), v);
  }
}
