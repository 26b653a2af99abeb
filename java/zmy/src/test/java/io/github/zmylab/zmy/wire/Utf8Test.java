package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is java.nio.charset. */
class Utf8Test {
  private static boolean oracle(byte[] b) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static void check(byte[] b) {
    ByteBuffer d = ByteBuffer.allocateDirect(b.length).order(ByteOrder.LITTLE_ENDIAN).put(0, b);
    assertEquals(oracle(b), Utf8.isValid(b, null, 0, b.length), () -> Arrays.toString(b));
    assertEquals(oracle(b), Utf8.isValid(null, d, 0, b.length), () -> Arrays.toString(b));
  }

  @Test
  void allShortSequences() {
    for (int i = 0; i < 1 << 16; i++) {
      check(new byte[] {(byte) i, (byte) (i >> 8)});
    }
    int[] edges = {0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf3, 0xf4, 0xf5, 0xff};
    for (int a : edges) {
      for (int b : edges) {
        for (int c : edges) {
          for (int d : edges) {
            check(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
          }
        }
      }
    }
  }

  @Test
  void longRunsWithOneOddByte() {
    for (int n = 0; n < 40; n++) {
      for (int at = 0; at < n; at++) {
        byte[] b = new byte[n];
        Arrays.fill(b, (byte) 'x');
        b[at] = (byte) 0x80;
        check(b);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "naïve", "eight by", "sixteen bytes..!", "sixteen bytes..é", "\u0141ódź is 16 long", "日本語", "\ud83d\ude00", "mixed é日\ud83d\ude00 text that is long"})
  void texts(String s) throws ZmyException {
    assertArrayEquals(s.getBytes(StandardCharsets.UTF_8), heap(s));
    assertArrayEquals(s.getBytes(StandardCharsets.UTF_8), direct(s));
  }

  private static byte[] heap(String s) throws ZmyException {
    Encoder e = new Encoder(new byte[2], EncodeOptions.DEFAULT);
    e.text(s);
    return e.bytes();
  }

  private static byte[] direct(String s) throws ZmyException {
    ByteBuffer b = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    Encoder e = new Encoder(b, EncodeOptions.DEFAULT);
    e.text(s);
    byte[] out = new byte[e.length()];
    b.get(0, out);
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "\udc00", "x\ud800", "\ud800x", "\udc00\ud800", "sixteen bytes.. \ud800", "\ud83d"})
  void loneSurrogatesAreRefused(String s) {
    assertEquals(ErrorCode.UTF8, assertThrows(ZmyException.class, () -> heap(s)).code());
    assertEquals(ErrorCode.UTF8, assertThrows(ZmyException.class, () -> direct(s)).code());
  }

  @Test
  void orderIsThatOfBytes() {
    Random r = new Random(1);
    String letters = "ab\u007f\u0080é\u07ff\u0800\ud7ff\ue000\uffff";
    for (int i = 0; i < 20_000; i++) {
      String x = text(r, letters);
      String y = text(r, letters);
      int want = Arrays.compareUnsigned(x.getBytes(StandardCharsets.UTF_8), y.getBytes(StandardCharsets.UTF_8));
      assertEquals(Integer.signum(want), Integer.signum(Utf8.compare(x, y)), () -> x + " and " + y);
    }
  }

  private static String text(Random r, String letters) {
    StringBuilder s = new StringBuilder();
    for (int n = r.nextInt(4); n > 0; n--) {
      int k = r.nextInt(letters.length() + 2);
      if (k < letters.length()) {
        s.append(letters.charAt(k));
      } else {
        s.appendCodePoint(k == letters.length() ? 0x10000 : 0x10ffff);
      }
    }
    return s.toString();
  }
}
