package io.github.zmylab.zmy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the kinds of plain Java objects. */
final class AnyValues {
  private AnyValues() {}

  static Any of(@Nullable Object v) {
    if (v == null) {
      return Any.NULL;
    }
    if (v instanceof Any a) {
      return a;
    }
    if (v instanceof Boolean b) {
      return new Any.Bool(b);
    }
    if (v instanceof Long || v instanceof Integer || v instanceof Short || v instanceof Byte) {
      return new Any.Int(((Number) v).longValue());
    }
    if (v instanceof String s) {
      return new Any.Text(s);
    }
    if (v instanceof Double d) {
      return new Any.Float64(d);
    }
    if (v instanceof Float f) {
      return new Any.Float32(f);
    }
    if (v instanceof List<?> list) {
      List<Any> out = new ArrayList<>(list.size());
      for (Object x : list) {
        out.add(of(x));
      }
      return new Any.Items(out);
    }
    if (v instanceof Map<?, ?> map) {
      Map<String, Any> out = new LinkedHashMap<>();
      for (Map.Entry<?, ?> e : map.entrySet()) {
        if (!(e.getKey() instanceof String key)) {
          throw new IllegalArgumentException("a key that is no String inside any");
        }
        out.put(key, of(e.getValue()));
      }
      return new Any.Entries(out);
    }
    return other(v);
  }

  private static Any other(Object v) {
    if (v instanceof byte[] b) {
      return new Any.Binary(b);
    }
    if (v instanceof Instant t) {
      return new Any.Time(t);
    }
    if (v instanceof Duration d) {
      return new Any.Span(d);
    }
    if (v instanceof BigDecimal d) {
      return new Any.Decimal(d);
    }
    if (v instanceof BigInteger i) {
      return new Any.BigInt(i);
    }
    if (v instanceof BigFloat f) {
      return new Any.BigFloating(f);
    }
    if (v instanceof Complex64 c) {
      return new Any.Complex32(c);
    }
    if (v instanceof Complex128 c) {
      return new Any.Complex(c);
    }
    int kind = packed(v);
    if (kind == 0) {
      throw new IllegalArgumentException(v.getClass().getName() + " has no wire form inside any");
    }
    return new Any.Packed(kind, v);
  }

  private static int packed(Object v) {
    if (v instanceof boolean[]) {
      return Any.BOOLS;
    } else if (v instanceof short[]) {
      return Any.INT16;
    } else if (v instanceof int[]) {
      return Any.INT32;
    } else if (v instanceof long[]) {
      return Any.INT64;
    } else if (v instanceof float[]) {
      return Any.FLOAT32;
    } else if (v instanceof double[]) {
      return Any.FLOAT64;
    } else if (v instanceof Instant[]) {
      return Any.TIMES;
    }
    return 0;
  }
}
