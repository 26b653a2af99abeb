package io.github.zmylab.zmy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Envelopes and streams refuse to write some values, and failures below them do not go unnoticed.
 */
class FailuresTest {
  private static final int WIRE = 128 << 10;

  private static byte[] noise(int n) {
    byte[] b = new byte[n];
    new Random(1).nextBytes(b);
    return b;
  }

  private static SealOptions limited(int maxWire, int maxRaw, int chunk) {
    return new SealOptions(null, null, false, chunk, new EncodeOptions(maxWire, maxRaw, 0));
  }

  /** Counts the closes of a stream that fails from a write on. */
  private static final class Broken extends OutputStream {
    final ByteArrayOutputStream got = new ByteArrayOutputStream();
    int left;
    int closes;

    Broken(int left) {
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] b, int from, int n) throws IOException {
      if (left-- == 0) {
        throw new IOException("broken");
      }
      got.write(b, from, n);
    }

    @Override
    public void close() {
      closes++;
    }
  }

  private record Failing(RuntimeException e) implements Compressor {
    @Override
    public Compression id() {
      return Compression.LZ4;
    }

    @Override
    public byte[] compress(byte[] raw) {
      if (e != null) {
        throw e;
      }
      return null;
    }

    @Override
    public byte[] decompress(byte[] compressed, int length) {
      return compress(compressed);
    }
  }

  /** An envelope that is sealed can be opened. One that could not be opened is not sealed. */
  @ParameterizedTest
  @CsvSource({"131048, true", "131049, false", "131072, false"})
  void envelopesObeyMaxWire(int n, boolean fits) throws Exception {
    if (fits) {
      assertArrayEquals(noise(n), Envelope.open(Envelope.seal(7, noise(n), SealOptions.DEFAULT)).message());
      return;
    }
    ZmyException e = assertThrows(ZmyException.class, () -> Envelope.seal(7, noise(n), SealOptions.DEFAULT));
    assertEquals(ErrorCode.TOO_LARGE, e.code());
    assertEquals("zmy: larger than the limit (" + (n + 24) + " bytes, maxWire is " + WIRE + ")", e.getMessage());
  }

  @Test
  void maxRawCountsTheSchema() throws Exception {
    EncodeOptions e = new EncodeOptions(0, 20, 0);
    Envelope.seal(7, noise(14), new SealOptions(new byte[2], null, false, 0, e));
    assertEquals(
        ErrorCode.TOO_LARGE,
        assertThrows(ZmyException.class, () -> Envelope.seal(7, noise(15), new SealOptions(new byte[2], null, false, 0, e))).code());
  }

  @Test
  void recordsObeyMaxRaw() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter w = new StreamWriter(out, 7, limited(0, 1000, 0))) {
      assertEquals(ErrorCode.TOO_LARGE, assertThrows(ZmyException.class, () -> w.write(noise(1001))).code());
      w.write(noise(1000)); // nothing was written: the stream goes on
      w.finish();
    }
    try (StreamReader r = new StreamReader(new ByteArrayInputStream(out.toByteArray()))) {
      assertArrayEquals(noise(1000), r.next());
    }
    SealOptions schema = new SealOptions(noise(WIRE), null, false, 0, null);
    assertEquals(
        ErrorCode.TOO_LARGE, assertThrows(ZmyException.class, () -> new StreamWriter(out, 7, schema)).code());
  }

  /** Chunks that are asked to be longer than maxWire, or than an int counts, are cut. */
  @ParameterizedTest
  @CsvSource({"0, 16777215", "64, 65536", "24, 100", "0, 0"})
  void chunksObeyMaxWire(int maxWire, int chunk) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SealOptions o = limited(maxWire, 1 << 20, chunk);
    byte[] record = noise(200_000);
    try (StreamWriter w = new StreamWriter(out, 7, o)) {
      w.write(record);
      w.finish();
    }
    OpenOptions open = new OpenOptions(new DecodeOptions(o.encode().maxWire(), 1 << 20, 0, 0, false), null, false);
    try (StreamReader r = new StreamReader(new ByteArrayInputStream(out.toByteArray()), open)) {
      assertArrayEquals(record, r.next());
    }
  }

  @Test
  void nothingFollowsTheEnd() throws Exception {
    Broken out = new Broken(-1);
    StreamWriter w = new StreamWriter(out, 7, SealOptions.DEFAULT);
    w.write(noise(3));
    w.finish();
    int size = out.got.size();
    assertThrows(IOException.class, () -> w.write(noise(3)));
    assertThrows(IOException.class, w::flush);
    w.finish();
    w.close();
    w.close();
    assertEquals(size, out.got.size());
    assertEquals(1, out.closes);
  }

  /** A stream that an exception cuts off does not look complete. */
  @Test
  void closeWritesNoEnd() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThrows(
        IllegalStateException.class,
        () -> {
          try (StreamWriter w = new StreamWriter(out, 7, SealOptions.DEFAULT)) {
            w.write(noise(3));
            throw new IllegalStateException("no more orders today");
          }
        });
    StreamReader r = new StreamReader(new ByteArrayInputStream(out.toByteArray()));
    assertArrayEquals(noise(3), r.next());
    assertEquals(ErrorCode.TRUNCATED, assertThrows(ZmyException.class, r::next).code());
  }

  @Test
  void noEndAfterAFailure() throws Exception {
    Broken out = new Broken(4); // the header, a chunk, and the head of another
    StreamWriter w = new StreamWriter(out, 7, SealOptions.DEFAULT);
    w.write(noise(3));
    IOException first = assertThrows(IOException.class, () -> w.write(noise(3)));
    assertSame(first, assertThrows(IOException.class, () -> w.write(noise(3))).getCause());
    int size = out.got.size();
    assertSame(first, assertThrows(IOException.class, w::finish).getCause());
    w.close();
    assertEquals(size, out.got.size());
    assertEquals(1, out.closes);
    byte[] written = out.got.toByteArray();
    StreamReader r = new StreamReader(new ByteArrayInputStream(written));
    assertArrayEquals(noise(3), r.next());
    assertEquals(ErrorCode.TRUNCATED, assertThrows(ZmyException.class, r::next).code());
  }

  @Test
  void readersStayFailed() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StreamWriter w = new StreamWriter(out, 7, SealOptions.DEFAULT)) {
      w.write(noise(3));
      w.write(noise(3));
      w.finish();
    }
    InputStream in =
        new ByteArrayInputStream(out.toByteArray()) {
          private int reads;

          @Override
          public byte[] readNBytes(int n) throws IOException {
            if (++reads == 5) { // the header and its empty body, a chunk's head and payload, one more
              throw new IOException("timed out");
            }
            return super.readNBytes(n);
          }
        };
    StreamReader r = new StreamReader(in);
    assertArrayEquals(noise(3), r.next());
    IOException first = assertThrows(IOException.class, r::next);
    assertSame(first, assertThrows(IOException.class, r::next).getCause());
  }

  /** Compressors are other people's code: what they throw is an error, not a crash. */
  @Test
  void compressorsThatThrow() throws Exception {
    for (Compressor c : List.of(new Failing(new IllegalStateException("damaged")), new Failing(null))) {
      SealOptions seal = new SealOptions(null, c, true, 0, null);
      assertThrows(IOException.class, () -> Envelope.seal(7, noise(9), seal));
      byte[] b = Envelope.seal(7, noise(9), new SealOptions(null, null, true, 0, null));
      b[4] |= (byte) (Compression.LZ4.ordinal() << 2);
      Arrays.fill(b, 24, 28, (byte) 0);
      b[24] = 5; // bytes before compression
      OpenOptions open = new OpenOptions(null, List.of(c), false);
      assertEquals(ErrorCode.COMPRESSION, assertThrows(ZmyException.class, () -> Envelope.open(b, open)).code());

      Broken out = new Broken(-1);
      StreamWriter w = new StreamWriter(out, 7, seal);
      assertThrows(IOException.class, () -> w.write(noise(9)));
      assertThrows(IOException.class, w::finish);
      w.close();
      assertEquals(24, out.got.size());
      assertEquals(1, out.closes);
    }
  }

  @Test
  void compressorsThatDoNothingAreRefused() {
    Compressor none =
        new Compressor() {
          @Override
          public Compression id() {
            return Compression.NONE;
          }

          @Override
          public byte[] compress(byte[] raw) {
            return raw;
          }

          @Override
          public byte[] decompress(byte[] compressed, int length) {
            return compressed;
          }
        };
    assertThrows(IllegalArgumentException.class, () -> new SealOptions(null, none, false, 0, null));
    assertThrows(IllegalArgumentException.class, () -> new OpenOptions(null, List.of(none), false));
    assertTrue(new OpenOptions(null, null, false).compressors().isEmpty());
  }
}
