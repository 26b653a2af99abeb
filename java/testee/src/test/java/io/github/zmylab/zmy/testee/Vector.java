package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.DecodeOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A line of a file in spec/vectors; README.md there explains it. */
record Vector(Map<String, Object> line) {
  static final Path DIR = Path.of(System.getProperty("zmy.vectors", "../../spec/vectors"));

  /** The files of vectors, by their names below that folder. */
  static List<String> files() {
    try (Stream<Path> all = Files.walk(DIR)) {
      return all.filter(p -> p.toString().endsWith(".jsonl")).map(p -> DIR.relativize(p).toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  static List<Vector> load(String file) {
    try (Stream<String> lines = Files.lines(DIR.resolve(file))) {
      return lines.map(s -> new Vector((Map<String, Object>) JsonReader.parse(s))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Vector> all() {
    return files().stream().flatMap(f -> load(f).stream());
  }

  String text(String key) {
    Object v = line.get(key);
    return v == null ? "" : v.toString();
  }

  String id() {
    return text("id");
  }

  String reader() {
    return text("reader");
  }

  boolean isMessage() {
    return Readers.ALL.containsKey(reader());
  }

  byte[] bytes() {
    return unpack(text("hex"));
  }

  DecodeOptions limits() {
    Map<?, ?> l = line.get("limits") instanceof Map<?, ?> m ? m : Map.of();
    return new DecodeOptions(
        number(l, "maxWire"), number(l, "maxRaw"), number(l, "maxDepth"), number(l, "budget"), Boolean.TRUE.equals(l.get("exact")));
  }

  private static int number(Map<?, ?> m, String key) {
    return m.get(key) instanceof Number n ? n.intValue() : 0;
  }

  /** Hexadecimal with groups such as (78)*65536. */
  static byte[] unpack(String s) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < s.length(); ) {
      char c = s.charAt(i);
      if (c == ' ') {
        i++;
      } else if (c == '(') {
        int close = s.indexOf(")*", i);
        int end = s.indexOf(' ', close);
        end = end < 0 ? s.length() : end;
        byte[] group = unpack(s.substring(i + 1, close));
        for (int n = Integer.parseInt(s.substring(close + 2, end)); n > 0; n--) {
          out.writeBytes(group);
        }
        i = end;
      } else {
        out.writeBytes(HexFormat.of().parseHex(s, i, i + 2));
        i += 2;
      }
    }
    return out.toByteArray();
  }

  @Override
  public String toString() {
    return id();
  }
}
