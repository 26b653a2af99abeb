package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Collections;
import java.util.List;

/** An array of n values of a fixed size that are no primitive numbers. */
final class FixedList<T> extends Fixed<List<T>> {
  private final Fixed<T> elem;
  private final int n;

  FixedList(Fixed<T> elem, int n) {
    super(Math.multiplyExact(elem.size(), n));
    this.elem = elem;
    this.n = n;
  }

  @Override
  public List<T> zero() {
    return Collections.nCopies(n, elem.zero());
  }

  @Override
  int heap() {
    return Slot.REFERENCE + 24 + Slot.OBJECT + n * Math.max(elem.heap(), Slot.REFERENCE + Slot.OBJECT);
  }

  @Override
  public List<T> get(Decoder d, int at) throws ZmyException {
    Object[] out = new Object[n];
    try {
      for (int i = 0; i < n; i++) {
        out[i] = elem.get(d, at + i * elem.size());
      }
    } catch (ZmyException x) {
      throw d.fail(x.code(), at); // of the array
    }
    return Slots.list(out);
  }

  @Override
  public void put(Encoder e, int at, List<T> v) throws ZmyException {
    if (v == null || v.isEmpty()) {
      for (int i = 0; i < n; i++) {
        elem.put(e, at + i * elem.size(), elem.zero());
      }
      return;
    }
    Slots.count(e, v.size(), n);
    int i = 0;
    try {
      for (T x : v) {
        elem.put(e, at + i * elem.size(), x);
        i++;
      }
    } catch (ZmyException x) {
      throw x.in(Slot.index(i));
    }
  }

  @Override
  public void verify(Decoder d, int at) throws ZmyException {
    try {
      for (int i = 0; i < n; i++) {
        elem.verify(d, at + i * elem.size());
      }
    } catch (ZmyException x) {
      throw d.fail(ErrorCode.DOMAIN, at);
    }
  }
}
