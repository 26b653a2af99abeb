package io.github.zmylab.zmy.testee;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A type of spec/vectors/schemas.txt; README.md there has the grammar. */
final class Type {
  /** A field of a struct, or an arm of a union. */
  record Field(int number, String name, Type type) {}

  final String kind; // of a scalar its name, else: string, [], [n], map, ?, inline, struct, sparse, union, …
  int length; // of an array
  Type elem;
  Type key;
  final List<Field> fields = new ArrayList<>();

  private Type(String kind) {
    this.kind = kind;
  }

  /** All types by name. */
  static Map<String, Type> load() {
    try (InputStream in = Type.class.getResourceAsStream("/schemas.txt");
        BufferedReader r = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return parse(r.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Type> parse(List<String> lines) {
    Map<String, Type> types = new HashMap<>();
    Type at = null;
    for (int pass = 0; pass < 2; pass++) { // names first
      for (String line : lines) {
        String[] words = line.split(" ");
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        if (!Character.isDigit(line.charAt(0))) {
          at = types.computeIfAbsent(words[1], name -> new Type(words[0]));
        } else if (pass == 1) {
          String name = words[1].equals("-") ? "" : words[1];
          at.fields.add(new Field(Integer.parseInt(words[0]), name, type(words[2], types)));
        }
      }
    }
    return types;
  }

  private static Type type(String text, Map<String, Type> types) {
    if (text.startsWith("?")) {
      return of("?", null, type(text.substring(1), types));
    }
    if (text.startsWith("[]")) {
      return of("[]", null, type(text.substring(2), types));
    }
    if (text.startsWith("map[")) {
      int end = matching(text);
      return of("map", type(text.substring(4, end), types), type(text.substring(end + 1), types));
    }
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      Type t = of("[n]", null, type(text.substring(end + 1), types));
      t.length = Integer.parseInt(text.substring(1, end));
      return t;
    }
    if (text.startsWith("inline:")) {
      return of("inline", null, types.get(text.substring(7)));
    }
    Type named = types.get(text);
    return named != null ? named : new Type(text);
  }

  private static int matching(String text) {
    int depth = 0;
    for (int i = 3; ; i++) {
      depth += text.charAt(i) == '[' ? 1 : text.charAt(i) == ']' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
  }

  static Type of(String kind, Type key, Type elem) {
    Type t = new Type(kind);
    t.key = key;
    t.elem = elem;
    return t;
  }

  static Type scalar(String kind) {
    return new Type(kind);
  }

  boolean isStruct() {
    return kind.equals("struct") || kind.equals("sparse");
  }
}
