package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Values of any kind: a byte for the kind, then a payload. */
final class AnySlot extends Slot<Any> {
  private static final int FALSE = 1;
  private static final int TRUE = 2;
  private static final int INT8 = 3;
  private static final int INT16 = 4;
  private static final int INT32 = 5;
  private static final int INT64 = 6;
  private static final int UINT64 = 7;
  private static final int FLOAT64 = 8;
  private static final int STRING = 9;
  private static final int BYTES = 10;
  private static final int TIME = 11;
  private static final int LIST = 12;
  private static final int MAP = 13;
  private static final int STRUCT = 14;
  private static final int DURATION = 15;
  private static final int DECIMAL = 16;
  private static final int BIG_INT = 17;
  private static final int BIG_FLOAT = 18;
  private static final int JSON = 19;
  private static final int FLOAT32 = 20;
  private static final int COMPLEX64 = 21;
  private static final int COMPLEX128 = 22;
  private static final int NUMBER = 23;
  private static final int STRINGS = 44;
  private static final int STRING_MAP = 45;

  private static final int MAX_SCALE = 10_000;
  private static final int MAX_UNSCALED = 4096;

  /**
   * Types of payloads. They are in a class of their own because they hold this slot, which must
   * exist before.
   */
  private static final class Types {
    static final Slot<List<Any>> LIST = Slots.list(Slots.ANY);
    static final Slot<Map<String, Any>> MAP = Slots.map(Slots.STRING, Slots.ANY);
    static final Slot<List<String>> STRINGS = Slots.list(Slots.STRING);
    static final Slot<Map<String, String>> STRING_MAP = Slots.map(Slots.STRING, Slots.STRING);
  }

  @Override
  int cost() {
    return ANY_COST;
  }

  @Override
  int heap() {
    return REFERENCE + OBJECT + Texts.HEAP; // a record around a string
  }

  /**
   * Bytes of memory that a value of a kind takes beyond {@link #heap}, without parts that are
   * charged by themselves.
   */
  private static int more(int kind) {
    return switch (kind) {
      case BIG_INT -> 64; // its object, the array of words, and a copy of the bytes
      case BIG_FLOAT -> 48;
      case DECIMAL -> 128; // as an integer, and the object around
      default -> 0;
    };
  }

  @Override
  public Any zero() {
    return Any.NULL;
  }

  /** The size of a kind's payload in bytes, -1 if it varies. */
  private static int size(int kind) {
    switch (kind) {
      case FALSE, TRUE:
        return 0;
      case INT8:
        return 1;
      case INT16:
        return 2;
      case INT32, FLOAT32:
        return 4;
      case INT64, UINT64, FLOAT64, DURATION, COMPLEX64:
        return 8;
      case TIME:
        return Scalars.TIME.size();
      case COMPLEX128:
        return 16;
      default:
        return -1;
    }
  }

  /** Checks kind and payload, but not the values in lists and maps, and returns the kind. */
  private static int open(Decoder d, int from, int to, int depth) throws ZmyException {
    StructCodec.enter(d, from, depth);
    int kind = d.i8(from) & 0xff;
    int p = from + 1;
    if (kind == 0) {
      throw d.fail(ErrorCode.DOMAIN, from);
    }
    int size = size(kind);
    int elem = AnyPacked.size(kind);
    if (size >= 0 && to - p != size || elem > 0 && (to - p) % elem != 0) {
      throw d.fail(ErrorCode.LENGTH, from);
    }
    boolean minimal = true;
    switch (kind) {
      case INT16 -> minimal = d.i16(p) != (byte) d.i16(p);
      case INT32 -> minimal = d.i32(p) != (short) d.i32(p);
      case INT64 -> minimal = d.i64(p) != (int) d.i64(p);
      case UINT64 -> minimal = d.i64(p) < 0;
      case STRING, NUMBER -> {
        if (!Utf8.isValid(d.a, d.d, p, to)) {
          throw d.fail(ErrorCode.UTF8, from);
        }
      }
      case TIME -> domain(Scalars.TIME, d, p, from);
      case BIG_INT -> BigInts.check(d, p, to, from);
      case BIG_FLOAT -> BigFloats.check(d, p, to, from);
      case DECIMAL -> decimal(d, p, to, from);
      case STRUCT -> {
        if (to - p < 8) {
          throw d.fail(ErrorCode.LENGTH, from);
        }
      }
      default -> {
        if (elem > 0) {
          AnyPacked.check(d, kind, p, to, from);
        }
      }
    }
    if (!minimal) {
      throw d.fail(ErrorCode.NOT_MINIMAL, from);
    }
    return kind;
  }

  /** Checks a value. The place of its fault is at. */
  static void domain(Fixed<?> type, Decoder d, int p, int at) throws ZmyException {
    try {
      type.verify(d, p);
    } catch (ZmyException x) {
      throw d.fail(x.code(), at);
    }
  }

  private static void decimal(Decoder d, int p, int to, int at) throws ZmyException {
    if (to - p < 3) {
      throw d.fail(ErrorCode.LENGTH, at);
    }
    if (Math.abs(d.i16(p)) > MAX_SCALE || to - p > 3 + MAX_UNSCALED) {
      throw d.fail(ErrorCode.DOMAIN, at);
    }
    BigInts.check(d, p + 2, to, at);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return;
    }
    int kind = open(d, from, to, depth + 1);
    d.charge(1, 0, more(kind), from);
    switch (kind) {
      case LIST -> Types.LIST.verify(d, from + 1, to, depth + 1);
      case MAP -> Types.MAP.verify(d, from + 1, to, depth + 1);
      case STRINGS -> Types.STRINGS.verify(d, from + 1, to, depth + 1);
      case STRING_MAP -> Types.STRING_MAP.verify(d, from + 1, to, depth + 1);
      default -> {
        if (AnyPacked.size(kind) > 0) {
          d.charge(to - from - 1, 1, from);
        }
      }
    }
  }

  @Override
  public Any read(Decoder d, int from, int to, int depth) throws ZmyException {
    if (from == to) {
      return Any.NULL;
    }
    int kind = open(d, from, to, depth + 1);
    d.charge(1, 0, more(kind), from);
    int p = from + 1;
    switch (kind) {
      case FALSE, TRUE:
        return new Any.Bool(kind == TRUE);
      case INT8:
        return new Any.Int(d.i8(p));
      case INT16:
        return new Any.Int(d.i16(p));
      case INT32:
        return new Any.Int(d.i32(p));
      case INT64:
        return new Any.Int(d.i64(p));
      case UINT64:
        return new Any.Uint(d.i64(p));
      case FLOAT64:
        return new Any.Float64(d.f64(p));
      case FLOAT32:
        return new Any.Float32(d.f32(p));
      case STRING:
        return new Any.Text(Slots.STRING.read(d, p, to, depth));
      case NUMBER:
        return new Any.Number(Slots.STRING.read(d, p, to, depth));
      case LIST:
        return new Any.Items(Types.LIST.read(d, p, to, depth + 1));
      case MAP:
        return new Any.Entries(Types.MAP.read(d, p, to, depth + 1));
      case STRINGS:
        return new Any.Texts(Types.STRINGS.read(d, p, to, depth + 1));
      case STRING_MAP:
        return new Any.TextMap(Types.STRING_MAP.read(d, p, to, depth + 1));
      default:
        return other(d, kind, p, to);
    }
  }

  private static Any other(Decoder d, int kind, int p, int to) throws ZmyException {
    switch (kind) {
      case BYTES:
        return new Any.Binary(d.copy(p, to));
      case JSON:
        return new Any.Json(d.copy(p, to));
      case TIME:
        return new Any.Time(Scalars.time(d, p));
      case DURATION:
        return new Any.Span(Scalars.duration(d, p));
      case COMPLEX64:
        return new Any.Complex32(Scalars.complex64(d, p));
      case COMPLEX128:
        return new Any.Complex(Scalars.complex128(d, p));
      case BIG_INT:
        return new Any.BigInt(BigInts.get(d, p, to));
      case BIG_FLOAT:
        return new Any.BigFloating(BigFloats.get(d, p, to));
      case DECIMAL:
        return new Any.Decimal(new BigDecimal(BigInts.get(d, p + 2, to), d.i16(p)));
      case STRUCT:
        return new Any.Struct(d.i64(p), d.copy(p + 8, to));
      default:
        if (AnyPacked.size(kind) > 0) {
          d.charge(to - p, 1, p - 1);
          return AnyPacked.read(d, kind, p, to);
        }
        return new Any.Raw(kind, d.copy(p, to));
    }
  }

  /** Reports whether this version knows a kind. */
  private static boolean isKnown(int kind) {
    return kind <= NUMBER || kind == STRINGS || kind == STRING_MAP || AnyPacked.size(kind) > 0;
  }

  @Override
  public void write(Encoder e, Any v, int depth) throws ZmyException {
    if (v == null || v instanceof Any.Null) {
      return;
    }
    e.enter(depth + 1);
    if (v instanceof Any.Text x) {
      kind(e, STRING, 0);
      e.text(x.value());
    } else if (v instanceof Any.Int x) {
      integer(e, x.value());
    } else if (v instanceof Any.Bool x) {
      kind(e, x.value() ? TRUE : FALSE, 0);
    } else if (v instanceof Any.Float64 x) {
      e.f64(kind(e, FLOAT64, 8), x.value());
    } else if (v instanceof Any.Items x) {
      kind(e, LIST, 0);
      Types.LIST.write(e, x.value(), depth + 1);
    } else if (v instanceof Any.Entries x) {
      kind(e, MAP, 0);
      Types.MAP.write(e, x.value(), depth + 1);
    } else if (v instanceof Any.Texts x) {
      kind(e, STRINGS, 0);
      Types.STRINGS.write(e, x.value(), depth + 1);
    } else if (v instanceof Any.TextMap x) {
      kind(e, STRING_MAP, 0);
      Types.STRING_MAP.write(e, x.value(), depth + 1);
    } else if (v instanceof Any.Packed x) {
      kind(e, x.kind(), 0);
      AnyPacked.write(e, x);
    } else {
      other(e, v);
    }
  }

  /** Appends a kind, reserves size bytes for its payload and returns the index of the first. */
  private static int kind(Encoder e, int kind, int size) throws ZmyException {
    int at = e.reserve(1 + size);
    e.i8(at, kind);
    return at + 1;
  }

  private static void integer(Encoder e, long v) throws ZmyException {
    if (v == (byte) v) {
      e.i8(kind(e, INT8, 1), (byte) v);
    } else if (v == (short) v) {
      e.i16(kind(e, INT16, 2), (short) v);
    } else if (v == (int) v) {
      e.i32(kind(e, INT32, 4), (int) v);
    } else {
      e.i64(kind(e, INT64, 8), v);
    }
  }

  private static void other(Encoder e, Any v) throws ZmyException {
    if (v instanceof Any.Uint x) {
      if (x.value() >= 0) {
        integer(e, x.value());
      } else {
        e.i64(kind(e, UINT64, 8), x.value());
      }
    } else if (v instanceof Any.Float32 x) {
      e.f32(kind(e, FLOAT32, 4), x.value());
    } else if (v instanceof Any.Number x) {
      kind(e, NUMBER, 0);
      e.text(x.value());
    } else if (v instanceof Any.Binary x) {
      kind(e, BYTES, 0);
      e.bytes(x.value());
    } else if (v instanceof Any.Json x) {
      kind(e, JSON, 0);
      e.bytes(x.value());
    } else if (v instanceof Any.Time x) {
      Scalars.time(e, kind(e, TIME, 12), x.value());
    } else if (v instanceof Any.Span x) {
      Scalars.duration(e, kind(e, DURATION, 8), x.value());
    } else if (v instanceof Any.Complex32 x) {
      Scalars.complex64(e, kind(e, COMPLEX64, 8), x.value());
    } else if (v instanceof Any.Complex x) {
      Scalars.complex128(e, kind(e, COMPLEX128, 16), x.value());
    } else if (v instanceof Any.BigInt x) {
      kind(e, BIG_INT, 0);
      BigInts.append(e, x.value());
    } else if (v instanceof Any.BigFloating x) {
      kind(e, BIG_FLOAT, 0);
      BigFloats.append(e, x.value());
    } else if (v instanceof Any.Decimal x) {
      decimal(e, x.value());
    } else if (v instanceof Any.Struct x) {
      e.i64(kind(e, STRUCT, 8), x.lineage());
      e.bytes(x.data());
    } else if (v instanceof Any.Raw x) {
      if (x.kind() <= 0 || x.kind() > 255 || isKnown(x.kind())) {
        throw e.fail(ErrorCode.DOMAIN, "kind " + x.kind());
      }
      kind(e, x.kind(), 0);
      e.bytes(x.data());
    }
  }

  private static void decimal(Encoder e, BigDecimal v) throws ZmyException {
    BigInteger u = v.unscaledValue();
    if (Math.abs((long) v.scale()) > MAX_SCALE || u.abs().bitLength() > 8 * MAX_UNSCALED) {
      throw e.fail(ErrorCode.DOMAIN, "scale is within 10,000, the unscaled value of at most 4,096 bytes");
    }
    e.i16(kind(e, DECIMAL, 2), v.scale());
    BigInts.append(e, u);
  }
}
