package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;

/** An array of values of a fixed size that is too long for the scalars. */
final class FixedTail<A> extends Slot<A> {
  private final Fixed<A> array;

  FixedTail(Fixed<A> array) {
    this.array = array;
  }

  @Override
  int cost() {
    return array.size();
  }

  @Override
  int heap() {
    return array.heap();
  }

  @Override
  public A zero() {
    return array.zero();
  }

  @Override
  public A read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return array.zero();
    }
    length(d, from, to);
    A out = array.get(d, from);
    checkZero(d, from, to);
    return out;
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from < to) {
      length(d, from, to);
      array.verify(d, from);
      checkZero(d, from, to);
    }
  }

  private void length(Decoder d, int from, int to) throws ZmyException {
    if (to - from != array.size()) {
      throw d.fail(ErrorCode.LENGTH, from);
    }
  }

  private static void checkZero(Decoder d, int from, int to) throws ZmyException {
    if (d.isZero(from, to)) {
      throw d.fail(ErrorCode.ZERO, from);
    }
  }

  @Override
  public void write(Encoder e, A v, int depth) throws ZmyException {
    if (v == null) {
      return;
    }
    e.lend(array.size());
    int at = e.reserve(array.size());
    array.put(e, at, v);
    if (Le.isZero(e.a, e.d, at, e.pos)) {
      e.pos = at;
    }
    e.lend(-array.size());
    e.checkSize();
  }
}
