package io.github.zmylab.zmy.testee;

import java.util.List;
import java.util.Map;

/** Writes trees of maps, lists, strings, numbers and booleans as JSON. */
final class Json {
  private Json() {}

  static String write(Object v) {
    StringBuilder s = new StringBuilder();
    write(s, v);
    return s.toString();
  }

  private static void write(StringBuilder s, Object v) {
    if (v instanceof Map<?, ?> map) {
      char sep = '{';
      for (Map.Entry<?, ?> e : map.entrySet()) {
        s.append(sep);
        text(s, (String) e.getKey());
        write(s.append(':'), e.getValue());
        sep = ',';
      }
      s.append(map.isEmpty() ? "{}" : "}");
    } else if (v instanceof List<?> list) {
      char sep = '[';
      for (Object e : list) {
        write(s.append(sep), e);
        sep = ',';
      }
      s.append(list.isEmpty() ? "[]" : "]");
    } else if (v instanceof String t) {
      text(s, t);
    } else {
      s.append(v);
    }
  }

  private static void text(StringBuilder s, String t) {
    s.append('"');
    for (int i = 0; i < t.length(); i++) {
      char c = t.charAt(i);
      if (c == '"' || c == '\\') {
        s.append('\\').append(c);
      } else if (c < ' ') {
        s.append(String.format("\\u%04x", (int) c));
      } else {
        s.append(c);
      }
    }
    s.append('"');
  }
}
