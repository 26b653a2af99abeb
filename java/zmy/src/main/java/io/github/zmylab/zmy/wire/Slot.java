package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A type of variable size. Its values are in slots: ranges of bytes whose bounds are known before
 * they are read. A slot is empty exactly for the zero value.
 *
 * <p>In all methods, [from, to) is the slot, and depth that of the struct or any around it.
 */
public abstract class Slot<T extends @Nullable Object> {
  /** Units of the budget that a string, a list, a map, a pointer, a union or a big number takes. */
  static final int SLOT_COST = 24;

  /** Units of the budget that an any takes. */
  static final int ANY_COST = 32;

  /** Units of the budget that a map takes for each pair, beside key and value. */
  static final int PAIR_COST = 16;

  /** Bytes of a reference, in heaps of less than 32 GiB. */
  static final int REFERENCE = 4;

  /** Bytes of the header of an object or an array, with its alignment. */
  static final int OBJECT = 16;

  /** For this package and generated code. */
  protected Slot() {}

  /** Units of the budget that a value takes inside its struct or list. */
  int cost() {
    return SLOT_COST;
  }

  /**
   * Bytes of memory that a value takes with the reference to it, without parts that are charged by
   * themselves.
   */
  int heap() {
    return REFERENCE;
  }

  /** The most bytes that the zero value takes in a list, or before it is removed. */
  int front() {
    return 0;
  }

  /** The zero value. */
  public abstract T zero();

  /** Reads the value. */
  public abstract T read(Decoder d, int from, int to, int depth) throws ZmyException;

  /** Checks the value, in the order and with the exceptions of {@link #read}. */
  public abstract void verify(Decoder d, int from, int to, int depth) throws ZmyException;

  /** Appends the value, nothing for the zero value. */
  public abstract void write(Encoder e, T v, int depth) throws ZmyException;

  /** Opens a list whose elements are of this type. */
  Cells open(Decoder d, int from, int to) throws ZmyException {
    return Cells.slots(d, from, to);
  }

  /** Reads an element of such a list. Types whose elements have no slots override it. */
  T element(Decoder d, Cells c, int i, int depth) throws ZmyException {
    c.step(d, i);
    return read(d, c.lo, c.hi, depth);
  }

  /** Checks such an element. */
  void verifyElement(Decoder d, Cells c, int i, int depth) throws ZmyException {
    c.step(d, i);
    verify(d, c.lo, c.hi, depth);
  }

  /**
   * Appends all elements of a list, which is not empty.
   *
   * @param all a list with fast access by index
   * @param steps returns the step of an element in a path
   */
  void writeColumn(Encoder e, List<T> all, IntFunction<String> steps, int depth) throws ZmyException {
    int n = all.size();
    Words w = new Words(e, e.pos, n);
    int i = 0;
    try {
      for (; i < n; i++) {
        write(e, all.get(i), depth);
        w.mark(e);
      }
    } catch (ZmyException x) {
      throw x.in(steps.apply(i));
    }
  }

  /** Reports whether elements of a list are structs that share a header. */
  boolean isDense() {
    return false;
  }

  static String index(int i) {
    return "[" + i + "]";
  }
}
