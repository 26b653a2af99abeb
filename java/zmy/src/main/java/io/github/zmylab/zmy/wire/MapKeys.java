package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The keys of a map. */
interface MapKeys<K> {
  /** Units of the budget that a key takes. */
  int cost();

  /** Bytes of memory that a key takes with the reference to it. */
  int heap();

  /** The order of keys on the wire. */
  Comparator<K> order();

  /** Opens the column [from, to) and checks all of it. */
  Cells open(Decoder d, int from, int to) throws ZmyException;

  /** Key i of an opened column. */
  K key(Decoder d, Cells c, int i) throws ZmyException;

  /** The step of a key in a path. */
  String step(K key);

  /** Appends the column. steps returns the step of a key in a path. */
  void write(Encoder e, List<K> keys, IntFunction<String> steps) throws ZmyException;

  /** Texts. */
  final class OfText implements MapKeys<String> {
    @Override
    public int cost() {
      return Slot.SLOT_COST;
    }

    @Override
    public int heap() {
      return Slots.STRING.heap();
    }

    @Override
    public Comparator<String> order() {
      return Texts.ORDER;
    }

    @Override
    public Cells open(Decoder d, int from, int to) throws ZmyException {
      return Texts.open(d, from, to, true);
    }

    @Override
    public String key(Decoder d, Cells c, int i) throws ZmyException {
      return Slots.STRING.element(d, c, i, 0);
    }

    @Override
    public String step(String key) {
      return Quote.step(key);
    }

    @Override
    public void write(Encoder e, List<String> keys, IntFunction<String> steps) throws ZmyException {
      Slots.STRING.writeColumn(e, keys, steps, 0);
    }
  }

  /** Values of a fixed size. */
  final class OfFixed<K> implements MapKeys<K> {
    private final Fixed<K> type;
    private final Slot<K> column;
    private final Comparator<K> order;

    OfFixed(Fixed<K> type) {
      this.type = type;
      column = Slots.column(type);
      order = Objects.requireNonNull(type.order(), "not a type of keys");
    }

    @Override
    public int cost() {
      return type.size();
    }

    @Override
    public int heap() {
      return 3 * column.heap(); // one object each to check it, to compare it and to keep it
    }

    @Override
    public Comparator<K> order() {
      return order;
    }

    @Override
    public Cells open(Decoder d, int from, int to) throws ZmyException {
      Cells c = column.open(d, from, to);
      Lists.verifyElements(column, d, c, 0);
      @Nullable K last = null;
      for (int i = 0; i < c.n; i++) {
        K key = column.element(d, c, i, 0);
        if (last != null && order.compare(last, key) >= 0) {
          throw d.fail(ErrorCode.KEY_ORDER, from + i * type.size()).in(Slot.index(i));
        }
        last = key;
      }
      return c;
    }

    @Override
    public K key(Decoder d, Cells c, int i) throws ZmyException {
      return column.element(d, c, i, 0);
    }

    @Override
    public String step(K key) {
      return type.step(key);
    }

    @Override
    public void write(Encoder e, List<K> keys, IntFunction<String> steps) throws ZmyException {
      column.writeColumn(e, keys, steps, 0);
    }
  }
}
