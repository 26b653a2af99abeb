package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Sets: maps whose values take no bytes. */
final class Sets<K> extends Slot<Set<K>> {
  private final Maps<K, Boolean> map;

  Sets(Maps<K, Boolean> map) {
    this.map = map;
  }

  @Override
  public Set<K> zero() {
    return Set.of();
  }

  @Override
  public Set<K> read(Decoder d, int from, int to, int depth) throws ZmyException {
    return map.read(d, from, to, depth).keySet();
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    map.verify(d, from, to, depth);
  }

  @Override
  public void write(Encoder e, Set<K> v, int depth) throws ZmyException {
    if (v == null || v.isEmpty()) {
      return;
    }
    Map<K, Boolean> m = new HashMap<>();
    for (K key : v) {
      m.put(key, Boolean.TRUE);
    }
    map.write(e, m, depth);
  }
}
