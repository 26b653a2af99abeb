package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All vectors in all modes, with every truncation and every flipped bit. */
class VectorsTest {
  static List<String> files() {
    return Vector.files();
  }

  @Test
  void thereAreVectors() {
    assertEquals(true, Vector.all().count() > 1000);
  }

  @ParameterizedTest
  @MethodSource("files")
  void file(String file) {
    for (Vector v : Vector.load(file)) {
      for (Mode mode : Mode.values()) {
        check(v, mode);
      }
    }
  }

  private static void check(Vector v, Mode mode) {
    String what = mode + " " + v.id();
    byte[] b = v.bytes();
    Outcome got = outcome(v, mode, b);
    assertEquals(v.text("expect"), got.code(), what);
    assertEquals(v.line().getOrDefault("at", 0L), got.at(), what);
    assertEquals(v.text("path"), got.path(), what);
    if (!got.code().equals("ok")) {
      return;
    }
    fields(v, got, what);
    again(v, b, got, what);
    if (v.line().containsKey("truncated")) {
      assertEquals(v.text("truncated"), truncations(v, mode, b), what);
    }
    if (v.line().containsKey("flips")) {
      assertEquals(v.text("flips"), flips(v, mode, b), what);
    }
  }

  private static Outcome outcome(Vector v, Mode mode, byte[] b) {
    return Outcome.of(mode, v.reader(), b, v.limits());
  }

  private static void fields(Vector v, Outcome got, String what) {
    Object want = v.line().get("fields");
    if (!(want instanceof String s && s.startsWith("#"))) { // else the hash of another spelling of JSON
      assertEquals(want, JsonReader.parse(got.fields()), what);
    }
  }

  private static void again(Vector v, byte[] b, Outcome got, String what) {
    String want = v.text("reencode");
    if (want.startsWith("#")) {
      assertEquals(want.substring(1), hash(got.again()), what);
    } else {
      byte[] bytes = want.equals("same") ? b : Vector.unpack(want);
      assertEquals(HexFormat.of().formatHex(bytes), HexFormat.of().formatHex(got.again()), what);
    }
  }

  private static String truncations(Vector v, Mode mode, byte[] b) {
    List<String> runs = new ArrayList<>();
    String last = "";
    int n = 0;
    for (int i = 0; i <= b.length; i++) {
      byte[] x = Arrays.copyOf(b, i == b.length ? i + 1 : i);
      String code = outcome(v, mode, x).code();
      if (!code.equals(last)) {
        if (n > 0) {
          runs.add(last + "*" + n);
        }
        last = code;
        n = 0;
      }
      n++;
    }
    runs.add(last + "*" + n);
    return String.join(" ", runs);
  }

  private static String flips(Vector v, Mode mode, byte[] b) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8 * b.length; i++) {
      byte[] x = b.clone();
      x[i / 8] ^= (byte) (1 << i % 8);
      Outcome o = outcome(v, mode, x);
      text.append(o.code());
      if (o.again() != null) {
        text.append(' ').append(HexFormat.of().formatHex(o.again()));
      }
      text.append('\n');
    }
    return hash(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static String hash(byte[] b) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(b), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
