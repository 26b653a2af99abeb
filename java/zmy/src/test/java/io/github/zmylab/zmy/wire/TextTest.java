package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Text as it is written, against String.getBytes. The build runs it twice: also with the property
 * zmy.pure.
 */
class TextTest {
  private static final EncodeOptions LARGE = new EncodeOptions(1 << 24, 0, 0);

  /**
   * Texts of all lengths around those that ways of copying begin with, of one to four bytes a
   * character.
   */
  private static List<String> texts() {
    Random r = new Random(1);
    int[][] ranges = {{' ', 0x7f}, {' ', 0xff}, {0x80, 0xff}, {' ', 0x17f}, {0x1f600, 0x1f64f}};
    List<String> out = new ArrayList<>();
    for (int n = 0; n < 40; n++) {
      for (int[] range : ranges) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < n; i++) {
          s.appendCodePoint(r.nextInt(range[0], range[1] + 1));
        }
        out.add(s.toString());
      }
      for (int i = 0; i < n; i++) { // one character that is not ASCII, at each place
        out.add("x".repeat(i) + "éŠ€".charAt(r.nextInt(3)) + "x".repeat(n - i - 1));
      }
    }
    for (int n : new int[] {1023, 1024, 1025, 2047, 2048, 2049, 5000}) { // around LowBytes.ROOM
      out.add("x".repeat(n));
      for (int at : new int[] {0, 1022, 1024, n - 1}) {
        if (at < n) {
          out.add("x".repeat(at) + "éŠ€š".charAt(r.nextInt(4)) + "x".repeat(n - at - 1));
        }
      }
    }
    return out;
  }

  @Test
  void bytes() throws ZmyException {
    for (String s : texts()) {
      byte[] want = s.getBytes(StandardCharsets.UTF_8);
      Encoder array = new Encoder(new byte[8], LARGE);
      array.text("<");
      array.text(s);
      array.text(">");
      ByteBuffer b = ByteBuffer.allocateDirect(want.length + 2).order(ByteOrder.LITTLE_ENDIAN);
      Encoder direct = new Encoder(b, LARGE);
      direct.text("<");
      direct.text(s);
      direct.text(">");
      byte[] all = new byte[want.length + 2];
      b.get(0, all);
      assertArrayEquals(all, array.bytes(), s);
      assertArrayEquals(want, Arrays.copyOfRange(all, 1, all.length - 1), s);
      assertEquals(all.length, direct.length());
    }
  }

  /** A column is that of the general way, whatever is in it and wherever its room ends. */
  @Test
  void columns() throws ZmyException {
    List<String> texts = texts();
    Slot<List<String>> list = Slots.list(Slots.STRING);
    Random r = new Random(2);
    for (int i = 0; i < 2000; i++) {
      List<String> all = new ArrayList<>();
      boolean ascii = r.nextBoolean();
      for (int n = 1 + r.nextInt(6); n > 0; n--) {
        all.add(ascii ? "x".repeat(r.nextInt(20)) : texts.get(r.nextInt(texts.size())));
      }
      if (i % 500 == 0) {
        all.add("x".repeat(70_000)); // words of four bytes
      }
      Encoder fast = new Encoder(new byte[r.nextInt(200)], LARGE);
      list.write(fast, all, 1);
      Encoder slow = new Encoder(new byte[8], LARGE);
      new General().writeColumn(slow, all, Slot::index, 1);
      byte[] b = fast.bytes();
      assertArrayEquals(slow.bytes(), b);
      Encoder direct = new Encoder(ByteBuffer.allocateDirect(b.length).order(ByteOrder.LITTLE_ENDIAN), LARGE);
      list.write(direct, all, 1);
      byte[] copy = new byte[direct.length()];
      direct.d.get(0, copy);
      assertArrayEquals(b, copy);
      assertEquals(all, list.read(Decoder.of(b, 0, b.length, DecodeOptions.DEFAULT), 0, b.length, 1));
    }
  }

  /** Text whose columns are written by the method that all slots have. */
  private static final class General extends Slot<String> {
    @Override
    public String zero() {
      return "";
    }

    @Override
    public String read(Decoder d, int from, int to, int depth) throws ZmyException {
      return Slots.STRING.read(d, from, to, depth);
    }

    @Override
    public void verify(Decoder d, int from, int to, int depth) throws ZmyException {
      Slots.STRING.verify(d, from, to, depth);
    }

    @Override
    public void write(Encoder e, String v, int depth) throws ZmyException {
      Slots.STRING.write(e, v, depth);
    }
  }

  @Test
  void loneSurrogates() {
    String many = "x".repeat(1500);
    for (String s : List.of("\ud800", "x\udc00", "12345678\ud800", "\udc00\ud800", many + "\ud800", "\udc00" + many)) {
      Encoder e = new Encoder(new byte[5000], LARGE);
      assertEquals(ErrorCode.UTF8, assertThrows(ZmyException.class, () -> e.text(s)).code());
      assertEquals(
          ErrorCode.UTF8, assertThrows(ZmyException.class, () -> Slots.list(Slots.STRING).write(e, List.of("a", s), 1)).code());
    }
  }

  /** Characters whose low byte is ASCII are not taken for it, wherever they stand. */
  @Test
  void lowBytes() {
    LowBytes low = new LowBytes();
    Random r = new Random(3);
    byte[] b = new byte[4000];
    for (int i = 0; i < 3000; i++) {
      boolean ascii = true;
      int p = 0;
      StringBuilder want = new StringBuilder();
      for (int k = r.nextInt(4); k >= 0; k--) {
        StringBuilder s = new StringBuilder("x".repeat(r.nextInt(10) == 0 ? r.nextInt(1000) : r.nextInt(20)));
        if (r.nextInt(4) == 0) {
          s.insert(r.nextInt(s.length() + 1), (char) (r.nextInt(0xff) + 1 << 8 | 'a'));
          ascii = false;
        }
        low.copy(s.toString(), b, p);
        p += s.length();
        want.append(s);
      }
      assertEquals(ascii, low.ascii());
      if (ascii) {
        assertEquals(want.toString(), new String(b, 0, p, StandardCharsets.ISO_8859_1));
      }
    }
  }

  @Test
  void visible() {
    boolean opened = Object.class.getModule().isOpen("java.lang", TextTest.class.getModule());
    if (Boolean.getBoolean("zmy.pure") || Runtime.version().feature() > 23 && !opened) {
      assertNull(Latin1.bytes("abc"));
    } else {
      assertArrayEquals(new byte[] {'a', (byte) 0xe9}, Latin1.bytes("aé"));
    }
    assertNull(Latin1.bytes("aŠ"));
  }
}
