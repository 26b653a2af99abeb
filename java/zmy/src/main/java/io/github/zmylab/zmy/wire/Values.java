package io.github.zmylab.zmy.wire;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares, hashes and spells values by their content, also that of arrays in them, for generated
 * records.
 */
public final class Values {
  private Values() {}

  /** Reports whether two values have equal content. */
  public static boolean equal(@Nullable Object x, @Nullable Object y) {
    if (x == y) {
      return true;
    }
    if (x instanceof List<?> a && y instanceof List<?> b) {
      return lists(a, b);
    }
    if (x instanceof Map<?, ?> a && y instanceof Map<?, ?> b) {
      return maps(a, b);
    }
    return Objects.deepEquals(x, y);
  }

  private static boolean lists(List<?> x, List<?> y) {
    if (x.size() != y.size()) {
      return false;
    }
    Iterator<?> b = y.iterator();
    for (Object a : x) {
      if (!equal(a, b.next())) {
        return false;
      }
    }
    return true;
  }

  private static boolean maps(Map<?, ?> x, Map<?, ?> y) {
    if (x.size() != y.size()) {
      return false;
    }
    for (Map.Entry<?, ?> e : x.entrySet()) {
      if (!y.containsKey(e.getKey()) || !equal(e.getValue(), y.get(e.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The text of a record as Java has it, but with the content of arrays: bytes in hexadecimal,
   * other elements in brackets.
   *
   * @param name the name of its class
   * @param components name and value of each in turn
   */
  public static String text(String name, @Nullable Object... components) {
    StringBuilder out = new StringBuilder(name).append('[');
    for (int i = 0; i + 1 < components.length; i += 2) {
      out.append(i == 0 ? "" : ", ").append(components[i]).append('=');
      text(out, components[i + 1]);
    }
    return out.append(']').toString();
  }

  private static void text(StringBuilder out, @Nullable Object v) {
    if (v instanceof byte[] bytes) {
      out.append(HexFormat.of().formatHex(bytes));
    } else if (v instanceof List<?> list) {
      out.append('[');
      String before = "";
      for (Object item : list) {
        out.append(before);
        text(out, item);
        before = ", ";
      }
      out.append(']');
    } else if (v instanceof Map<?, ?> map) {
      out.append('{');
      String before = "";
      for (Map.Entry<?, ?> e : map.entrySet()) {
        out.append(before).append(e.getKey()).append('=');
        text(out, e.getValue());
        before = ", ";
      }
      out.append('}');
    } else if (v != null && v.getClass().isArray()) {
      String inBrackets = Arrays.deepToString(new Object[] {v});
      out.append(inBrackets, 1, inBrackets.length() - 1);
    } else {
      out.append(v);
    }
  }

  /** A hash of the content. */
  public static int hash(@Nullable Object... values) {
    int h = 1;
    for (Object v : values) {
      h = 31 * h + one(v);
    }
    return h;
  }

  private static int one(@Nullable Object v) {
    if (v instanceof List<?> list) {
      return hash(list.toArray());
    }
    if (v instanceof Map<?, ?> map) {
      int sum = 0;
      for (Map.Entry<?, ?> e : map.entrySet()) {
        sum += Objects.hashCode(e.getKey()) ^ one(e.getValue());
      }
      return sum;
    }
    return Arrays.deepHashCode(new Object[] {v});
  }
}
