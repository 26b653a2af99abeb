package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Packed lists as values of any kind. */
final class AnyPacked {
  private AnyPacked() {}

  /** The size of an element in bytes, 0 for a kind that is no packed list. */
  static int size(int kind) {
    if (kind == Any.TIMES) {
      return Scalars.TIME.size();
    }
    @Nullable Packed<?> type = type(kind);
    return type == null ? 0 : type.size;
  }

  /** Checks the domains of all elements. The place of a fault is at. */
  static void check(Decoder d, int kind, int p, int to, int at) throws ZmyException {
    Fixed<?> type = kind == Any.BOOLS ? Scalars.BOOL : kind == Any.TIMES ? Scalars.TIME : null;
    for (; type != null && p < to; p += type.size()) {
      AnySlot.domain(type, d, p, at);
    }
  }

  /** The type of a packed list of primitive numbers; null for another kind. */
  private static @Nullable Packed<?> type(int kind) {
    switch (kind) {
      case Any.BOOLS:
        return Packed.BOOL;
      case Any.INT8:
        return Packed.INT8;
      case Any.INT16:
        return Packed.INT16;
      case Any.UINT16:
        return Packed.UINT16;
      case Any.INT32:
        return Packed.INT32;
      case Any.UINT32:
        return Packed.UINT32;
      case Any.FLOAT32:
        return Packed.FLOAT32;
      case Any.FLOAT64:
        return Packed.FLOAT64;
      case Any.INT64, Any.UINT64, Any.SPANS:
        return Packed.INT64;
      default:
        return null;
    }
  }

  static Any read(Decoder d, int kind, int p, int to) throws ZmyException {
    int n = (to - p) / size(kind);
    if (kind == Any.TIMES) {
      Instant[] out = new Instant[n];
      for (int i = 0; i < n; i++) {
        out[i] = Scalars.time(d, p + i * Scalars.TIME.size());
      }
      return new Any.Packed(kind, out);
    }
    return new Any.Packed(kind, Objects.requireNonNull(type(kind)).get(d, p, n));
  }

  static void write(Encoder e, Any.Packed v) throws ZmyException {
    if (v.array() instanceof Instant[] times && v.kind() == Any.TIMES) {
      int at = e.reserve(Slots.bytes(times.length, Scalars.TIME.size()));
      for (Instant t : times) {
        Scalars.time(e, at, t);
        at += Scalars.TIME.size();
      }
      return;
    }
    @Nullable Packed<?> type = type(v.kind());
    if (type == null || !v.array().getClass().isInstance(type.make.apply(0))) {
      throw e.fail(ErrorCode.DOMAIN, v.array().getClass().getSimpleName() + " for kind " + v.kind());
    }
    write(e, type, v.array());
  }

  private static <A> void write(Encoder e, Packed<A> type, Object array) throws ZmyException {
    @SuppressWarnings("unchecked")
    A a = (A) array;
    type.put(e, e.reserve(Slots.bytes(type.length.applyAsInt(a), type.size)), a);
  }
}
