package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import org.jspecify.annotations.Nullable;

/** A union: the number of an arm, then the arm's slot. Generated code has a subclass for each. */
public abstract class UnionSlot<T> extends Slot<@Nullable T> {
  private int[] numbers = {};
  private StructCodec<?>[] arms = {};

  /** For generated code, which then calls {@link #define}. */
  protected UnionSlot() {}

  /** Sets the arms. It is no part of the constructor because arms may hold the union. */
  public final void define(int[] numbers, StructCodec<?>... arms) {
    this.numbers = numbers;
    this.arms = arms;
  }

  /** The number of v's arm; 0 if it is not known. */
  protected abstract int number(T v);

  /** An arm that is not known. */
  protected abstract T unknown(int number, byte[] raw);

  /** The number of an arm that is not known. */
  protected abstract int unknownNumber(T v);

  /** The slot of an arm that is not known. */
  protected abstract byte[] unknownRaw(T v);

  @Override
  public @Nullable T zero() {
    return null;
  }

  private int find(int number) {
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] == number) {
        return i;
      }
    }
    return -1;
  }

  /** Reads the number of the arm and charges it. */
  private int arm(Decoder d, int from, int to) throws ZmyException {
    if (to - from < 2) {
      throw d.fail(ErrorCode.TRUNCATED, to);
    }
    int number = d.u16(from);
    if (number == 0) {
      throw d.fail(ErrorCode.DOMAIN, from);
    }
    int i = find(number);
    d.charge(1, i < 0 ? SLOT_COST : arms[i].cost(), i < 0 ? 0 : arms[i].heap(), from);
    return i;
  }

  @Override
  public @Nullable T read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return null;
    }
    int i = arm(d, from, to);
    if (i < 0) {
      return unknown(d.u16(from), d.copy(from + 2, to));
    }
    @SuppressWarnings("unchecked")
    T v = (T) arms[i].read(d, from + 2, to, depth);
    return v;
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from < to) {
      int i = arm(d, from, to);
      if (i >= 0) {
        arms[i].verify(d, from + 2, to, depth);
      }
    }
  }

  @Override
  public void write(Encoder e, @Nullable T v, int depth) throws ZmyException {
    if (v == null) {
      return;
    }
    int number = number(v);
    int at = e.reserve(2);
    if (number == 0) {
      number = unknownNumber(v);
      if (number >>> 16 != 0 || number == 0 || find(number) >= 0) {
        throw e.fail(ErrorCode.DOMAIN, "arm " + number);
      }
      e.i16(at, number);
      e.bytes(unknownRaw(v));
      return;
    }
    e.i16(at, number);
    @SuppressWarnings("unchecked")
    StructCodec<T> arm = (StructCodec<T>) arms[find(number)];
    arm.write(e, v, depth);
  }
}
