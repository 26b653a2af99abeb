package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps: a column of keys in their order, then a column of values. */
final class Maps<K, V extends @Nullable Object> extends Slot<Map<K, V>> {
  /**
   * Bytes of memory of a map by itself: its arrays, and the state of opening it and checking its
   * keys.
   */
  private static final int HEAP = 200;

  private final MapKeys<K> keys;
  private final @Nullable Slot<V> values; // null for a set

  Maps(MapKeys<K> keys, @Nullable Slot<V> values) {
    this.keys = keys;
    this.values = values;
  }

  @Override
  public Map<K, V> zero() {
    return Map.of();
  }

  /** An opened map. */
  private record Columns(Cells keys, @Nullable Cells values) {}

  private Columns openMap(Decoder d, int from, int to) throws ZmyException {
    int length = to - from;
    int es = Layout.wordSize(length);
    if (length < es) {
      throw d.fail(ErrorCode.TRUNCATED, to);
    }
    if (es == 4 && length - 2 <= Layout.NARROW) {
      throw d.fail(ErrorCode.WIDTH, from);
    }
    int end = d.word(from, es);
    if (end <= es || end > length) {
      throw d.fail(ErrorCode.ENDS, from);
    }
    Cells k = keys.open(d, from + es, from + end);
    @Nullable Cells v = null;
    if (values != null) {
      v = values.open(d, from + end, to);
      if (v.n != k.n) {
        throw d.fail(ErrorCode.COUNT, from + end);
      }
    } else if (end < length) {
      throw d.fail(ErrorCode.ENDS, from + end);
    }
    int cost = PAIR_COST + keys.cost();
    int heap = keys.heap();
    if (values != null) {
      cost += values.cost();
      heap += values.heap();
    }
    d.charge(k.n, cost, heap, from);
    d.charge(1, 0, HEAP, from);
    return new Columns(k, v);
  }

  @Override
  public Map<K, V> read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return Map.of();
    }
    Columns c = openMap(d, from, to);
    int n = c.keys.n;
    Object[] k = new Object[n];
    for (int i = 0; i < n; i++) {
      k[i] = keys.key(d, c.keys, i);
    }
    if (values == null || c.values == null) {
      return new OrderedMap<>(k, null, keys.order());
    }
    @Nullable Object[] v = new @Nullable Object[n];
    int i = 0;
    try {
      for (; i < n; i++) {
        v[i] = values.element(d, c.values, i, depth);
      }
    } catch (ZmyException x) {
      @SuppressWarnings("unchecked")
      K key = (K) k[i];
      throw x.in(keys.step(key));
    }
    return new OrderedMap<>(k, v, keys.order());
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return;
    }
    Columns c = openMap(d, from, to);
    if (values == null || c.values == null) {
      return;
    }
    int i = 0;
    try {
      for (; i < c.keys.n; i++) {
        values.verifyElement(d, c.values, i, depth);
      }
    } catch (ZmyException x) {
      throw x.in(keys.step(keys.key(d, c.keys, i)));
    }
  }

  @Override
  public void write(Encoder e, Map<K, V> m, int depth) throws ZmyException {
    if (m == null || m.isEmpty()) {
      return;
    }
    Pairs<K, V> p = e.enterMap();
    if (m instanceof OrderedMap<K, V> o && o.order == keys.order()) {
      p.set(keys, o.keys, o.values, o.keys.length);
    } else if (m.size() <= Pairs.FEW) {
      @Nullable Object[] k = p.keyRoom();
      @Nullable Object[] v = p.valueRoom();
      p.set(keys, k, v, sort(e, m, k, v));
    } else {
      @Nullable Object[] k = new @Nullable Object[m.size()];
      @Nullable Object[] v = new @Nullable Object[k.length];
      sortMany(e, m, k, v);
      p.set(keys, k, v, k.length);
    }
    write(e, p, depth);
    e.leaveMap();
  }

  /** Puts the pairs of a small map into the order of their keys, and returns their number. */
  private int sort(Encoder e, Map<K, V> m, @Nullable Object[] k, @Nullable Object[] v) throws ZmyException {
    Comparator<K> order = keys.order();
    int n = 0;
    for (Map.Entry<K, V> x : m.entrySet()) {
      K key = key(e, x);
      if (n == k.length) {
        throw new ConcurrentModificationException("a map has grown while it was written");
      }
      int i = n++;
      for (; i > 0; i--) {
        @SuppressWarnings({"unchecked", "NullAway"}) // those before have been set
        int c = order.compare(key, (K) k[i - 1]);
        if (c > 0) {
          break;
        }
        if (c == 0) {
          throw equal(e, key);
        }
        k[i] = k[i - 1];
        v[i] = v[i - 1];
      }
      k[i] = key;
      v[i] = x.getValue();
    }
    return n;
  }

  private void sortMany(Encoder e, Map<K, V> m, @Nullable Object[] k, @Nullable Object[] v) throws ZmyException {
    Comparator<K> order = keys.order();
    List<Map.Entry<K, V>> all = new ArrayList<>(m.entrySet());
    for (Map.Entry<K, V> x : all) {
      key(e, x);
    }
    all.sort((x, y) -> order.compare(x.getKey(), y.getKey()));
    for (int i = 0; i < k.length; i++) {
      Map.Entry<K, V> x = all.get(i);
      if (i > 0 && order.compare(all.get(i - 1).getKey(), x.getKey()) == 0) {
        throw equal(e, x.getKey());
      }
      k[i] = x.getKey();
      v[i] = x.getValue();
    }
  }

  private static <K> K key(Encoder e, Map.Entry<K, ?> x) throws ZmyException {
    if (x.getKey() == null) {
      throw e.fail(ErrorCode.NIL, "a key of a map is null");
    }
    return x.getKey();
  }

  /**
   * The exception for two keys that are equal on the wire. A map may compare its keys in another
   * way.
   */
  private ZmyException equal(Encoder e, K key) {
    return e.fail(ErrorCode.KEY_ORDER, "two keys are equal: " + keys.step(key));
  }

  private void write(Encoder e, Pairs<K, V> p, int depth) throws ZmyException {
    int s = e.reserve(2);
    keys.write(e, p.keys(), p);
    int end = e.pos - s;
    if (values != null) {
      values.writeColumn(e, p.values(), p, depth);
    }
    if (e.pos - s <= Layout.NARROW) {
      e.i16(s, end);
      return;
    }
    e.widen(s, 1);
    e.i32(s, end + 2);
  }
}
