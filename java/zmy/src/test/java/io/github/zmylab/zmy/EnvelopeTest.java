package io.github.zmylab.zmy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
  private static final byte[] EMPTY = {0, 0, 0, 0}; // a struct without fields

  private static byte[] hex(String s) {
    return HexFormat.of().parseHex(s.replace(" ", ""));
  }

  /** Those of spec/ENVELOPE.md. */
  @Test
  void vectors() throws Exception {
    SealOptions bare = new SealOptions(null, null, true, 0, null);
    assertArrayEquals(
        hex("5a4d5901 0100 0000 0807060504030201 04000000 d950a52a 00000000"),
        Envelope.seal(0x0102030405060708L, EMPTY, SealOptions.DEFAULT));
    assertArrayEquals(
        hex("5a4d5901 0000 0000 0000000000000000 04000000 00000000 00000000"), Envelope.seal(0, EMPTY, bare));
    assertArrayEquals(
        hex("5a4d5901 0200 0000 0000000000000000 0a000000 00000000 02000000 0708 00000000"),
        Envelope.seal(0, EMPTY, new SealOptions(new byte[] {7, 8}, null, true, 0, null)));
  }

  @Test
  void streamVectors() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter w = new StreamWriter(out, 1, new SealOptions(null, null, true, 3, null))) {
      w.write("abcd".getBytes());
      w.write(new byte[0]);
      w.finish();
    }
    assertArrayEquals(
        hex(
            "5a4d5901 1000 0000 0100000000000000 00000000 00000000 03000001 00000000 616263 01000002 00000000 64"
                + "00000003 00000000 00000008 00000000"),
        out.toByteArray());
    out.reset();
    try (StreamWriter w = new StreamWriter(out, 0, SealOptions.DEFAULT)) {
      w.write("abcd".getBytes());
      w.finish();
    }
    assertArrayEquals(
        hex(
            "5a4d5901 1100 0000 0000000000000000 00000000 b780ac5a 04000003 85e9f1f1 61626364 00000008 a239c890"),
        out.toByteArray());
  }

  /** A compressor that the platform has, under the number of another. */
  private static final Compressor DEFLATE =
      new Compressor() {
        @Override
        public Compression id() {
          return Compression.ZSTD;
        }

        @Override
        public byte[] compress(byte[] raw) {
          Deflater d = new Deflater();
          d.setInput(raw);
          d.finish();
          byte[] out = new byte[raw.length + 64];
          int n = d.deflate(out);
          d.end();
          return Arrays.copyOf(out, n);
        }

        @Override
        public byte[] decompress(byte[] compressed, int length) throws IOException {
          Inflater i = new Inflater();
          try {
            i.setInput(compressed);
            byte[] out = new byte[length + 1];
            return Arrays.copyOf(out, i.inflate(out));
          } catch (DataFormatException e) {
            throw new IOException(e);
          } finally {
            i.end();
          }
        }
      };

  @Test
  void compression() throws Exception {
    byte[] message = new byte[100_000];
    SealOptions seal = new SealOptions(new byte[] {1, 2, 3}, DEFLATE, false, 0, null);
    byte[] b = Envelope.seal(7, message, seal);
    assertTrue(b.length < 1000);
    Envelope e = Envelope.open(b, new OpenOptions(null, List.of(DEFLATE), true));
    assertArrayEquals(message, e.message());
    assertArrayEquals(new byte[] {1, 2, 3}, e.schema());
    assertEquals(Compression.ZSTD, e.compression());
    assertEquals(ErrorCode.COMPRESSION, assertThrows(ZmyException.class, () -> Envelope.open(b)).code());
    assertEquals(Compression.NONE, Envelope.open(Envelope.seal(7, EMPTY, seal)).compression());

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter w = new StreamWriter(out, 7, seal)) {
      w.write(message);
      w.write(EMPTY);
      w.finish();
    }
    OpenOptions open = new OpenOptions(null, List.of(DEFLATE), false);
    try (StreamReader r = new StreamReader(new ByteArrayInputStream(out.toByteArray()), open)) {
      assertEquals(7, r.fingerprint());
      assertArrayEquals(message, r.next());
      assertArrayEquals(EMPTY, r.next());
      assertNull(r.next());
      assertNull(r.next());
    }
  }

  /** Every damage is refused, never by an unchecked exception. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damage(boolean stream) throws Exception {
    byte[] message = new byte[40];
    new Random(1).nextBytes(message);
    byte[] whole;
    if (stream) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (StreamWriter w = new StreamWriter(out, 7, new SealOptions(new byte[] {9}, null, false, 16, null))) {
        w.write(message);
        w.write(EMPTY);
        w.finish();
      }
      whole = out.toByteArray();
    } else {
      whole = Envelope.seal(7, message, new SealOptions(new byte[] {9}, null, false, 0, null));
    }
    for (int i = 0; i < 8 * whole.length; i++) {
      byte[] b = whole.clone();
      b[i / 8] ^= (byte) (1 << i % 8);
      assertThrows(ZmyException.class, () -> read(stream, b));
    }
    for (int n = 0; n < whole.length; n++) {
      byte[] b = Arrays.copyOf(whole, n);
      assertEquals(ErrorCode.TRUNCATED, assertThrows(ZmyException.class, () -> read(stream, b)).code());
    }
  }

  private static void read(boolean stream, byte[] b) throws Exception {
    if (!stream) {
      Envelope.open(b);
      return;
    }
    try (StreamReader r = new StreamReader(new ByteArrayInputStream(b))) {
      while (r.next() != null) {}
    }
  }

  @Test
  void aFailedStreamStaysFailed() throws Exception {
    byte[] b = hex("5a4d5901 1000 0000 0100000000000000 00000000 00000000 00000003 00000000 ffffffff 00000000");
    StreamReader r = new StreamReader(new ByteArrayInputStream(b));
    assertArrayEquals(new byte[0], r.next());
    ZmyException first = assertThrows(ZmyException.class, r::next);
    assertEquals(ErrorCode.RESERVED, first.code());
    assertEquals(32, first.offset());
    assertEquals(first, assertThrows(ZmyException.class, r::next));
  }
}
