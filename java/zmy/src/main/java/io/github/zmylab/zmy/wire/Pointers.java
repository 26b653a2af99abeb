package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import org.jspecify.annotations.Nullable;

/** Slots of values that may be null. Null is empty, and a value takes bytes even if it is zero. */
final class Pointers {
  private Pointers() {}

  /** A pointer to a struct. */
  static final class ToStruct<T> extends Slot<@Nullable T> {
    private final StructCodec<T> type;

    ToStruct(StructCodec<T> type) {
      this.type = type;
    }

    @Override
    public @Nullable T zero() {
      return null;
    }

    @Override
    public @Nullable T read(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from == to) {
        return null;
      }
      int h = d.head(from, to);
      d.charge(1, type.cost(), type.heap(), from);
      return type.read(d, from, to, h, 4, depth + 1);
    }

    @Override
    public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from < to) {
        int h = d.head(from, to);
        d.charge(1, type.cost(), type.heap(), from);
        type.verify(d, from, to, h, 4, depth + 1);
      }
    }

    @Override
    public void write(Encoder e, @Nullable T v, int depth) throws ZmyException {
      if (v != null) {
        type.writeWhole(e, v, depth + 1);
      }
    }
  }

  /** A pointer to a value of a fixed size. */
  static final class ToFixed<T> extends Slot<@Nullable T> {
    private final Fixed<T> type;

    ToFixed(Fixed<T> type) {
      this.type = type;
    }

    @Override
    public @Nullable T zero() {
      return null;
    }

    @Override
    public @Nullable T read(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from == to) {
        return null;
      }
      open(d, from, to, type.size());
      return type.get(d, from);
    }

    private static void open(Decoder d, int from, int to, int size) throws ZmyException {
      if (to - from != size) {
        throw d.fail(ErrorCode.LENGTH, from);
      }
      d.charge(1, size, 24 + size, from);
    }

    @Override
    public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from < to) {
        open(d, from, to, type.size());
        type.verify(d, from);
      }
    }

    @Override
    public void write(Encoder e, @Nullable T v, int depth) throws ZmyException {
      if (v != null) {
        type.put(e, e.reserve(type.size()), v);
      }
    }
  }

  /**
   * A value behind 0x01: a pointer to a string or an array, or a list, map or bytes that may be
   * null.
   */
  static final class ToSlot<T> extends Slot<@Nullable T> {
    private final Slot<T> type;
    private final boolean pointer;

    ToSlot(Slot<T> type, boolean pointer) {
      this.type = type;
      this.pointer = pointer;
    }

    @Override
    public @Nullable T zero() {
      return null;
    }

    @Override
    public @Nullable T read(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from == to) {
        return null;
      }
      open(d, from);
      return type.read(d, from + 1, to, depth);
    }

    private void open(Decoder d, int from) throws ZmyException {
      if (d.i8(from) != 1) {
        throw d.fail(ErrorCode.DOMAIN, from);
      }
      if (pointer) {
        d.charge(1, type.cost(), type.heap(), from + 1);
      }
    }

    @Override
    public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
      if (from < to) {
        open(d, from);
        type.verify(d, from + 1, to, depth);
      }
    }

    @Override
    public void write(Encoder e, @Nullable T v, int depth) throws ZmyException {
      if (v != null) {
        e.i8(e.reserve(1), 1);
        type.write(e, v, depth);
      }
    }
  }
}
