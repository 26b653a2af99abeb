package io.github.zmylab.zmy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The common part of envelopes and streams: the header, checksums, compression. */
final class Frames {
  private Frames() {}

  static final int HEADER = 24;
  static final int CHECKSUM = 1;
  static final int SCHEMA = 1 << 1;
  static final int COMPRESSION = 3 << 2;
  static final int STREAM = 1 << 4;

  private static final int KNOWN = CHECKSUM | SCHEMA | COMPRESSION | STREAM;
  private static final int MAGIC = 0x01594d5a; // "ZMY" and the version, 1

  /** A header. */
  record Header(int flags, long fingerprint, int size, int sum) {
    Compression compression() {
      return Compression.values()[flags >> 2 & 3];
    }

    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  static ByteBuffer le(byte[] b) {
    return ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ZmyException fail(ErrorCode code, long at, String detail) {
    return new ZmyException(code, at, detail);
  }

  /**
   * Reads the header at the start of b. It refuses all bits that have no meaning in this version,
   * so that a later one can give them one.
   */
  static Header header(byte[] b) throws ZmyException {
    if (b.length < HEADER) {
      throw fail(ErrorCode.TRUNCATED, b.length, "need " + HEADER + " bytes, have " + b.length);
    }
    ByteBuffer h = le(b);
    if (h.getInt(0) != MAGIC) {
      throw fail(ErrorCode.MAGIC, 0, "bare messages are for Codec.unmarshal");
    }
    int flags = h.getShort(4) & 0xffff;
    if ((flags & ~KNOWN) != 0 || (flags >> 2 & 3) == 3) {
      throw fail(ErrorCode.RESERVED, 4, String.format("flags are %#x", flags));
    }
    if (h.getShort(6) != 0) {
      throw fail(ErrorCode.RESERVED, 6, "");
    }
    if ((flags & CHECKSUM) == 0 && h.getInt(20) != 0) {
      throw fail(ErrorCode.RESERVED, 20, "there is a checksum without its flag");
    }
    return new Header(flags, h.getLong(8), h.getInt(16), h.getInt(20));
  }

  /** Puts a header in front of a body, with the checksum over both if the flags ask for it. */
  static byte[] put(int flags, long fingerprint, byte[]... body) {
    int size = 0;
    for (byte[] part : body) {
      size += part.length;
    }
    byte[] out = new byte[HEADER + size];
    ByteBuffer h = le(out);
    h.putInt(MAGIC).putShort((short) flags).putShort((short) 0).putLong(fingerprint).putInt(size).putInt(0);
    for (byte[] part : body) {
      h.put(part);
    }
    if ((flags & CHECKSUM) != 0) {
      h.putInt(20, sum(out));
    }
    return out;
  }

  /** The checksum of a header and the body behind it. */
  private static int sum(byte[] frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, 20);
    crc.update(frame, HEADER, frame.length - HEADER);
    return (int) crc.getValue();
  }

  /** Checks the checksum of a header against a frame, which is the header and the body. */
  static void check(Header h, byte[] frame) throws ZmyException {
    if (h.has(CHECKSUM) && sum(frame) != h.sum()) {
      throw fail(ErrorCode.CHECKSUM, 20, "");
    }
  }

  /**
   * Decompresses a u32 length and the bytes behind it. The length is checked before a compressor is
   * looked for: every language then reports the same fault, whichever compressors it has.
   */
  static byte[] inflate(byte[] b, Compression c, int maxRaw, Collection<Compressor> known, long at)
      throws ZmyException {
    if (b.length < 4) {
      throw fail(ErrorCode.TRUNCATED, at, "");
    }
    long n = le(b).getInt(0) & 0xffffffffL;
    if (n > maxRaw) {
      throw fail(ErrorCode.TOO_LARGE, at, n + " bytes, maxRaw is " + maxRaw);
    }
    if (n == 0) {
      throw fail(ErrorCode.LENGTH, at, "");
    }
    byte[] out;
    try {
      out = compressor(c, known, at).decompress(Arrays.copyOfRange(b, 4, b.length), (int) n);
      Objects.requireNonNull(out, "the compressor returned null");
    } catch (IOException | RuntimeException e) {
      ZmyException x = fail(ErrorCode.COMPRESSION, at, String.valueOf(e.getMessage()));
      x.initCause(e);
      throw x;
    }
    if (out.length != n) {
      throw fail(ErrorCode.LENGTH, at, out.length + " bytes in place of " + n);
    }
    return out;
  }

  private static Compressor compressor(Compression c, Collection<Compressor> known, long at) throws ZmyException {
    for (Compressor x : known) {
      if (x.id() == c) {
        return x;
      }
    }
    throw fail(ErrorCode.COMPRESSION, at, "no compressor for " + c + " was given");
  }

  /** Refuses more bytes before compression than maxRaw. */
  static void checkRaw(long n, EncodeOptions o) throws ZmyException {
    if (n > o.maxRaw()) {
      throw fail(ErrorCode.TOO_LARGE, -1, n + " bytes before compression, maxRaw is " + o.maxRaw());
    }
  }

  /** Refuses more bytes than maxWire, once compressed. */
  static void checkWire(long n, EncodeOptions o) throws ZmyException {
    if (n > o.maxWire()) {
      throw fail(ErrorCode.TOO_LARGE, -1, n + " bytes, maxWire is " + o.maxWire());
    }
  }

  /** Refuses a compressor whose id is NONE. */
  static void checkId(Compressor c) {
    if (Objects.requireNonNull(c.id(), "id of a compressor") == Compression.NONE) {
      throw new IllegalArgumentException("a compressor has the id NONE; leave it out instead");
    }
  }

  /** Compresses into a u32 length and bytes; null if that is not shorter. */
  static byte @Nullable [] deflate(byte[] raw, Compressor c) throws IOException {
    byte[] small;
    try {
      small = Objects.requireNonNull(c.compress(raw), "the compressor returned null");
    } catch (RuntimeException e) {
      throw new IOException("zmy: compress by " + c.id() + ": " + e.getMessage(), e);
    }
    if (raw.length == 0 || small.length + 4 >= raw.length) {
      return null;
    }
    byte[] out = new byte[4 + small.length];
    le(out).putInt(raw.length).put(small);
    return out;
  }
}
