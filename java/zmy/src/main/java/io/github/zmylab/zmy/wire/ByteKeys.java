package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Bytes;
import io.github.zmylab.zmy.ZmyException;
import java.util.Comparator;

/** Arrays of n bytes as keys of maps. */
final class ByteKeys extends Fixed<Bytes> {
  ByteKeys(int n) {
    super(n);
  }

  @Override
  public Bytes zero() {
    return Bytes.of(new byte[size()]);
  }

  @Override
  public Bytes get(Decoder d, int at) {
    return Bytes.of(d.copy(at, at + size()));
  }

  @Override
  public void put(Encoder e, int at, Bytes v) throws ZmyException {
    Slots.count(e, v.length(), size());
    e.put(at, v.array(), 0, size());
  }

  @Override
  int heap() {
    return Slot.REFERENCE + Slot.OBJECT + 2 * (Slot.OBJECT + (size() + 7 & ~7)); // and a copy
  }

  @Override
  Comparator<Bytes> order() {
    return Comparator.naturalOrder();
  }

  @Override
  String step(Bytes key) {
    return Quote.step(key.array());
  }
}
