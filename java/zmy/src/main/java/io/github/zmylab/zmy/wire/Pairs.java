package io.github.zmylab.zmy.wire;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of a map that is being written, in the order of their keys. An encoder uses the object
 * again, so that a map of up to {@link #FEW} pairs takes no memory. As a function, it returns the
 * step of a key in a path.
 */
final class Pairs<K, V extends @Nullable Object> implements IntFunction<String> {
  static final int FEW = 16;

  private final Column<K> keys = new Column<>();
  private final Column<V> values = new Column<>();
  private @Nullable MapKeys<K> type;

  private static final class Column<T extends @Nullable Object> extends AbstractList<T> implements RandomAccess {
    private final @Nullable Object[] own = new @Nullable Object[FEW];
    private @Nullable Object[] all = own;
    private int n;

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null where T is nullable
    public T get(int i) {
      return (T) all[i];
    }

    @Override
    public int size() {
      return n;
    }

    private void set(@Nullable Object[] all, int n) {
      this.all = all;
      this.n = n;
    }

    private void forget(int used) {
      Arrays.fill(own, 0, used, null);
      all = own;
      n = 0;
    }
  }

  /** The keys. */
  List<K> keys() {
    return keys;
  }

  /** The values. */
  List<V> values() {
    return values;
  }

  /** Room for the keys and values of up to {@link #FEW} pairs, which the caller sorts. */
  @Nullable Object[] keyRoom() {
    return keys.own;
  }

  @Nullable Object[] valueRoom() {
    return values.own;
  }

  /** Sets the pairs: n of them, sorted. The values of a set are null. */
  void set(MapKeys<K> type, @Nullable Object[] k, @Nullable Object @Nullable [] v, int n) {
    this.type = type;
    keys.set(k, n);
    if (v != null) {
      values.set(v, n);
    }
  }

  @Override
  public String apply(int i) {
    return Objects.requireNonNull(type).step(keys.get(i));
  }

  /** Forgets the pairs. */
  void clear() {
    int used = keys.all == keys.own ? keys.n : 0;
    keys.forget(used);
    values.forget(used);
  }

  /** Forgets the pairs of a map whose writing has failed, of which it does not know how many it has. */
  void drop() {
    keys.forget(FEW);
    values.forget(FEW);
  }
}
