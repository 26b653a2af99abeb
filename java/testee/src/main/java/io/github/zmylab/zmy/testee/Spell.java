package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.BigFloat;
import io.github.zmylab.zmy.Bytes;
import io.github.zmylab.zmy.Complex128;
import io.github.zmylab.zmy.Complex64;
import io.github.zmylab.zmy.OffsetInstant;
import io.github.zmylab.zmy.Times;
import io.github.zmylab.zmy.wire.Unknown;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Spells values as the vectors do: spec/vectors/README.md. Trees are made of maps, lists and
 * scalars.
 */
final class Spell {
  private Spell() {}

  /** The fields of a record that are not zero. */
  static Map<String, Object> object(Type t, Object record) {
    Map<String, Object> out = new LinkedHashMap<>();
    Object[] values = components(record);
    int i = 0;
    for (Type.Field f : t.fields) {
      if (f.name().isEmpty()) {
        continue; // reserved: the record has no component
      }
      Object v = values[i++];
      if (isZero(f.type(), v)) {
        continue;
      }
      Object x = tree(f.type(), v);
      if (f.type().isStruct() && (x == null || ((Map<?, ?>) x).isEmpty())) {
        continue; // only unknown parts, which are not spelled
      }
      out.put(f.name(), x);
    }
    return out;
  }

  static Object[] components(Object record) {
    RecordComponent[] list = record.getClass().getRecordComponents();
    Object[] out = new Object[list.length];
    try {
      for (int i = 0; i < list.length; i++) {
        out[i] = list[i].getAccessor().invoke(record);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return out;
  }

  /** Reports whether a value is zero. */
  static boolean isZero(Type t, Object v) {
    if (v == null || v == Any.NULL) {
      return true;
    }
    if (v instanceof Record r && (t.isStruct() || t.kind.equals("inline"))) {
      Type s = t.kind.equals("inline") ? t.elem : t;
      Object[] values = components(r);
      int i = 0;
      for (Type.Field f : s.fields) {
        if (!f.name().isEmpty() && !isZero(f.type(), values[i++])) {
          return false;
        }
      }
      return i == values.length || ((Unknown) values[i]).isZero();
    }
    if (t.kind.equals("?")) {
      return false;
    }
    if (t.kind.equals("[n]")) {
      for (Object x : elements(v)) {
        if (!isZero(t.elem, x)) {
          return false;
        }
      }
      return true;
    }
    return isZeroValue(v);
  }

  private static boolean isZeroValue(Object v) {
    if (v instanceof Float f) {
      return Float.floatToRawIntBits(f) == 0;
    }
    if (v instanceof Double d) {
      return Double.doubleToRawLongBits(d) == 0;
    }
    if (v instanceof Complex64 c) {
      return isZeroValue(c.re()) && isZeroValue(c.im());
    }
    if (v instanceof Complex128 c) {
      return isZeroValue(c.re()) && isZeroValue(c.im());
    }
    if (v instanceof Number n && !(v instanceof BigInteger)) {
      return n.longValue() == 0;
    }
    if (v.getClass().isArray()) {
      return Array.getLength(v) == 0;
    }
    return v.equals(false)
        || v.equals("")
        || v.equals(Times.ZERO)
        || v.equals(OffsetInstant.ZERO)
        || v.equals(Duration.ZERO)
        || v.equals(BigInteger.ZERO)
        || v.equals(BigFloat.ZERO)
        || v instanceof List<?> l && l.isEmpty()
        || v instanceof Set<?> s && s.isEmpty()
        || v instanceof Map<?, ?> m && m.isEmpty();
  }

  /** The elements of a list or an array. */
  static List<Object> elements(Object v) {
    if (v instanceof List<?> list) {
      return new ArrayList<>(list);
    }
    List<Object> out = new ArrayList<>();
    for (int i = 0; i < Array.getLength(v); i++) {
      out.add(Array.get(v, i));
    }
    return out;
  }

  /** A value. */
  static Object tree(Type t, Object v) {
    switch (t.kind) {
      case "struct":
        return object(t, v);
      case "inline":
        return object(t.elem, v);
      case "sparse":
        Map<String, Object> fields = object(t, v);
        return fields.isEmpty() ? null : fields;
      case "union":
        return v == null ? null : union(t, v);
      case "?":
        return v == null ? null : some(t.elem, v);
      case "any":
        return AnyTree.tree((Any) v);
      case "[]":
        return isZeroValue(v) ? null : list(t.elem, v);
      case "[n]":
        return isScalar(t) || !isZero(t, v) ? list(t.elem, v) : null;
      case "map":
        return isZeroValue(v) ? null : pairs(t, v);
      default:
        return scalar(t, v);
    }
  }

  /** Reports whether a type is a scalar, or an array that is among the scalars. */
  private static boolean isScalar(Type t) {
    if (t.kind.equals("[n]")) {
      return isScalar(t.elem) && size(t) <= 255;
    }
    return size(t) > 0;
  }

  private static int size(Type t) {
    switch (t.kind) {
      case "[n]":
        return t.length * size(t.elem);
      case "bool", "int8", "uint8":
        return 1;
      case "int16", "uint16":
        return 2;
      case "int32", "uint32", "float32":
        return 4;
      case "int64", "uint64", "float64", "complex64", "duration", "time:unixnano":
        return 8;
      case "time":
        return 12;
      case "complex128", "time:zone":
        return 16;
      default:
        return 0;
    }
  }

  static List<Object> list(Type elem, Object v) {
    List<Object> out = new ArrayList<>();
    Type e = elem.kind.equals("?") && elem.elem.kind.equals("struct") ? elem.elem : elem; // never null
    for (Object x : elements(v)) {
      out.add(tree(e, x));
    }
    return out;
  }

  static List<Object> pairs(Type t, Object v) {
    List<Object> out = new ArrayList<>();
    if (v instanceof Set<?> set) {
      for (Object key : set) {
        List<Object> pair = new ArrayList<>();
        pair.add(tree(t.key, key(key)));
        pair.add(null);
        out.add(pair);
      }
      return out;
    }
    Type e = t.elem.kind.equals("?") && t.elem.elem.kind.equals("struct") ? t.elem.elem : t.elem;
    for (Map.Entry<?, ?> x : ((Map<?, ?>) v).entrySet()) {
      List<Object> pair = new ArrayList<>();
      pair.add(tree(t.key, key(x.getKey())));
      pair.add(tree(e, x.getValue()));
      out.add(pair);
    }
    return out;
  }

  /** The value behind a pointer. An empty one is not null. */
  private static Object some(Type t, Object v) {
    if (t.isStruct()) {
      return object(t, v);
    }
    if ((t.kind.equals("[]") || t.kind.equals("map")) && isZeroValue(v)) {
      return List.of();
    }
    if (t.kind.equals("[n]") && !isScalar(t) && isZero(t, v)) {
      return "zero";
    }
    return tree(t, v);
  }

  private static Object union(Type t, Object v) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (Type.Field f : t.fields) {
      if (f.name().equals(v.getClass().getSimpleName())) {
        out.put("arm", f.number());
        out.put("value", object(f.type(), v));
        return out;
      }
    }
    Object[] parts = components(v);
    out.put("arm", parts[0]);
    out.put("raw", hex((byte[]) parts[1]));
    return out;
  }

  static String hex(byte[] b) {
    return HexFormat.of().formatHex(b);
  }

  static Object scalar(Type t, Object v) {
    switch (t.kind) {
      case "bool", "string", "int8", "int16", "int32", "uint16", "uint32":
        return v;
      case "uint8":
        return ((Number) v).intValue() & 0xff; // an array has bytes
      case "int64", "bigint":
        return v.toString();
      case "uint64":
        return Long.toUnsignedString((Long) v);
      case "duration":
        return v instanceof Duration d ? nanos(d) : v.toString();
      case "bytes", "bytes:json":
        return hex((byte[]) v);
      case "bigfloat":
        return hex(bytes((BigFloat) v));
      case "float32":
        return "f32:" + bits((Float) v);
      case "float64":
        return "f64:" + bits((Double) v);
      case "complex64":
        return "c64:" + bits(((Complex64) v).re()) + "," + bits(((Complex64) v).im());
      case "complex128":
        return "c128:" + bits(((Complex128) v).re()) + "," + bits(((Complex128) v).im());
      case "time", "time:unixnano":
        return instant((Instant) v);
      case "time:zone":
        OffsetInstant z = (OffsetInstant) v;
        return instant(z.instant()) + "@" + z.offset().getTotalSeconds();
      default:
        throw new IllegalStateException("type " + t.kind);
    }
  }

  private static String nanos(Duration d) {
    BigInteger n = BigInteger.valueOf(d.getSeconds()).multiply(BigInteger.valueOf(1_000_000_000));
    return n.add(BigInteger.valueOf(d.getNano())).toString();
  }

  static String bits(float v) {
    return String.format("%08x", Float.floatToRawIntBits(v));
  }

  static String bits(double v) {
    return String.format("%016x", Double.doubleToRawLongBits(v));
  }

  static String instant(Instant t) {
    return String.format("%d.%09d", t.getEpochSecond() + Times.UNIX, t.getNano());
  }

  static byte[] bytes(BigFloat f) {
    ByteBuffer b = ByteBuffer.allocate(9 + f.mantissa().length).order(ByteOrder.LITTLE_ENDIAN);
    return b.putInt(f.precision()).put((byte) f.form()).putInt(f.exponent()).put(f.mantissa()).array();
  }

  /** The bytes of a key. */
  static Object key(Object v) {
    return v instanceof Bytes b ? b.array() : v;
  }
}
