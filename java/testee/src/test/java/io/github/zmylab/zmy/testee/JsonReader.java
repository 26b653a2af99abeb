package io.github.zmylab.zmy.testee;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as maps, lists, strings, longs and booleans: what vectors are made of. */
final class JsonReader {
  private final String s;
  private int at;

  private JsonReader(String s) {
    this.s = s;
  }

  static Object parse(String text) {
    JsonReader r = new JsonReader(text);
    Object v = r.value();
    r.blanks();
    if (r.at != text.length()) {
      throw new IllegalArgumentException("more behind the value: " + text);
    }
    return v;
  }

  private void blanks() {
    while (at < s.length() && s.charAt(at) <= ' ') {
      at++;
    }
  }

  private boolean take(char c) {
    blanks();
    if (s.charAt(at) != c) {
      return false;
    }
    at++;
    return true;
  }

  private void need(char c) {
    if (!take(c)) {
      throw new IllegalArgumentException("no " + c + " at " + at + " of " + s);
    }
  }

  private Object value() {
    if (take('{')) {
      Map<String, Object> out = new LinkedHashMap<>();
      while (!take('}')) {
        String key = (String) value();
        need(':');
        out.put(key, value());
        take(',');
      }
      return out;
    }
    if (take('[')) {
      List<Object> out = new ArrayList<>();
      while (!take(']')) {
        out.add(value());
        take(',');
      }
      return out;
    }
    return take('"') ? text() : word();
  }

  private Object word() {
    int start = at;
    while (at < s.length() && ",]} ".indexOf(s.charAt(at)) < 0) {
      at++;
    }
    String w = s.substring(start, at);
    return switch (w) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> Long.parseLong(w);
    };
  }

  private String text() {
    StringBuilder out = new StringBuilder();
    for (char c = s.charAt(at++); c != '"'; c = s.charAt(at++)) {
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = s.charAt(at++);
      if (c == 'u') {
        out.append((char) Integer.parseInt(s.substring(at, at + 4), 16));
        at += 4;
      } else {
        int i = "bfnrt".indexOf(c);
        out.append(i < 0 ? c : "\b\f\n\r\t".charAt(i));
      }
    }
    return out.toString();
  }
}
