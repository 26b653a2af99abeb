package io.github.zmylab.zmy.wire;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The map that reading returns, in the order of its keys on the wire. It is immutable, look-ups are
 * binary searches, and writing it needs no sorting.
 */
final class OrderedMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {
  final Object[] keys;
  final @Nullable Object @Nullable [] values; // null for a set
  final Comparator<K> order;

  OrderedMap(Object[] keys, @Nullable Object @Nullable [] values, Comparator<K> order) {
    this.keys = keys;
    this.values = values;
    this.order = order;
  }

  @SuppressWarnings("unchecked")
  private K key(int i) {
    return (K) keys[i];
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // null where V is nullable
  private V value(int i) {
    return values == null ? (V) Boolean.TRUE : (V) values[i];
  }

  /** The index of a key; -1 if it is not there, as a key of another class never is. */
  private int find(@Nullable Object key) {
    if (keys.length == 0 || key == null || key.getClass() != keys[0].getClass()) {
      return -1;
    }
    @SuppressWarnings("unchecked")
    K k = (K) key;
    int lo = 0;
    int hi = keys.length - 1;
    while (lo <= hi) {
      int mid = (lo + hi) >>> 1;
      int c = order.compare(key(mid), k);
      if (c == 0) {
        return mid;
      }
      if (c < 0) {
        lo = mid + 1;
      } else {
        hi = mid - 1;
      }
    }
    return -1;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int i = find(key);
    return i < 0 ? null : value(i);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return find(key) >= 0;
  }

  @Override
  public int size() {
    return keys.length;
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return keys.length;
      }

      @Override
      public Iterator<Entry<K, V>> iterator() {
        return new Entries();
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < keys.length;
    }

    @Override
    public Entry<K, V> next() {
      if (next == keys.length) {
        throw new NoSuchElementException();
      }
      int i = next++;
      return new SimpleImmutableEntry<>(key(i), value(i));
    }
  }
}
