package io.github.zmylab.zmy;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream of records, each usually one message. It reads no byte beyond the end of the
 * stream. If small reads are expensive, put a BufferedInputStream below. Only one thread at a time
 * may use it.
 */
public final class StreamReader implements Closeable {
  static final int CHUNK_HEADER = 8;
  static final int FIRST = 1;
  static final int LAST = 1 << 1;
  static final int COMPRESSED = 1 << 2;
  static final int EOS = 1 << 3;

  private final InputStream in;
  private final OpenOptions o;
  private final Frames.Header header;
  private final byte @Nullable [] schema;
  private long at; // bytes read
  private long chunks;
  private @Nullable Exception failed; // after it nothing can be read
  private boolean ended;

  /** Reads the header of a stream under the default options. */
  public StreamReader(InputStream in) throws IOException, ZmyException {
    this(in, OpenOptions.DEFAULT);
  }

  /**
   * Reads the header of a stream.
   *
   * @throws ZmyException for bytes that are no stream
   */
  public StreamReader(InputStream in, OpenOptions o) throws IOException, ZmyException {
    this.in = in;
    this.o = o;
    byte[] head = read(Frames.HEADER);
    header = Frames.header(head);
    if (!header.has(Frames.STREAM)) {
      throw Frames.fail(ErrorCode.RESERVED, 4, "this is an envelope, which Envelope opens");
    }
    long size = header.size() & 0xffffffffL;
    if (size > o.decode().maxWire() - Frames.HEADER) {
      throw Frames.fail(ErrorCode.TOO_LARGE, 16, "schema block of " + size + " bytes, maxWire is " + o.decode().maxWire());
    }
    if (!header.has(Frames.SCHEMA) && size > 0) {
      throw Frames.fail(ErrorCode.LENGTH, 16, "there is no schema block, but it has " + size + " bytes");
    }
    o.check(header);
    byte[] body = read((int) size);
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    Frames.check(header, all);
    schema = header.has(Frames.SCHEMA) ? body : null;
  }

  /** The fingerprint of the records' type; 0 if it is unknown. */
  public long fingerprint() {
    return header.fingerprint();
  }

  /** Reports whether chunks have checksums. */
  public boolean checksum() {
    return header.has(Frames.CHECKSUM);
  }

  /** The compression that chunks may have. */
  public Compression compression() {
    return header.compression();
  }

  /** The schema block; null for none. */
  public byte @Nullable [] schema() {
    return schema;
  }

  /**
   * Unmarshals the next record; null after the last one. After a record that is no message of the
   * type, the next call reads the next record.
   */
  public <T> @Nullable T next(Codec<T> codec) throws IOException, ZmyException {
    Envelope.checkType(fingerprint(), codec, o);
    byte @Nullable [] b = next();
    return b == null ? null : codec.unmarshal(b, o.decode().ofLength(b.length));
  }

  /**
   * The bytes of the next record; null after the last one. After an exception every call throws,
   * since the start of the next record is not known.
   */
  public byte @Nullable [] next() throws IOException, ZmyException {
    if (failed instanceof ZmyException e) {
      throw e;
    }
    if (failed != null) {
      throw new IOException("zmy: read stream: it failed before", failed);
    }
    if (ended) {
      return null;
    }
    try {
      return record();
    } catch (ZmyException | IOException | RuntimeException e) {
      failed = e;
      throw e;
    }
  }

  private byte @Nullable [] record() throws IOException, ZmyException {
    ByteArrayOutputStream record = null;
    for (; ; ) {
      byte[] head = read(CHUNK_HEADER);
      int word = Frames.le(head).getInt(0);
      int flags = word >>> 24;
      byte[] payload = chunk(head, flags, word & 0xffffff);
      if (flags == EOS) {
        if (record != null) {
          throw Frames.fail(ErrorCode.SEQUENCE, at, "the stream ends inside a record");
        }
        ended = true;
        return null;
      }
      boolean last = (flags & LAST) != 0;
      if ((flags & FIRST) != 0 != (record == null)) {
        throw Frames.fail(ErrorCode.SEQUENCE, at, String.format("flags are %#x", flags));
      }
      if (!last && payload.length == 0) {
        throw Frames.fail(ErrorCode.LENGTH, at, "an empty chunk that ends nothing");
      }
      int have = record == null ? 0 : record.size();
      if (payload.length > o.decode().maxRaw() - have) {
        throw Frames.fail(ErrorCode.TOO_LARGE, at, "record of more than " + o.decode().maxRaw() + " bytes (maxRaw)");
      }
      if (last && record == null) {
        return payload; // most records are one chunk
      }
      if (record == null) {
        record = new ByteArrayOutputStream();
      }
      record.writeBytes(payload);
      if (last) {
        return record.toByteArray();
      }
    }
  }

  /** Reads the payload of a chunk and decompresses it. */
  private byte[] chunk(byte[] head, int flags, int n) throws IOException, ZmyException {
    long start = at - CHUNK_HEADER;
    if (flags > 15
        || (flags & EOS) != 0 && (flags != EOS || n > 0)
        || (flags & COMPRESSED) != 0 && compression() == Compression.NONE) {
      throw Frames.fail(ErrorCode.RESERVED, start, String.format("flags are %#x", flags));
    }
    int maxWire = o.decode().maxWire();
    if (n > maxWire - CHUNK_HEADER) {
      throw Frames.fail(ErrorCode.TOO_LARGE, start, "chunk of " + (n + CHUNK_HEADER) + " bytes, maxWire is " + maxWire);
    }
    byte[] payload = read(n);
    int sum = Frames.le(head).getInt(4);
    if (!checksum()) {
      if (sum != 0) {
        throw Frames.fail(ErrorCode.RESERVED, start + 4, "there is a checksum in a stream without");
      }
    } else if (sum(chunks, head, payload) != sum) {
      throw Frames.fail(ErrorCode.CHECKSUM, start + 4, "chunk " + chunks + " was damaged, or stands in another's place");
    }
    chunks++;
    if ((flags & COMPRESSED) != 0) {
      return Frames.inflate(payload, compression(), o.decode().maxRaw(), o.compressors(), start + CHUNK_HEADER);
    }
    return payload;
  }

  /** The checksum of chunk number i. */
  static int sum(long i, byte[] head, byte[] payload) {
    CRC32C crc = new CRC32C();
    byte[] number = new byte[8];
    Frames.le(number).putLong(i);
    crc.update(number);
    crc.update(head, 0, 4);
    crc.update(payload);
    return (int) crc.getValue();
  }

  /**
   * Reads n bytes. Memory grows with the bytes that arrive: a length that a hostile peer announces
   * costs nothing.
   */
  private byte[] read(int n) throws IOException, ZmyException {
    byte[] b = in.readNBytes(n);
    at += b.length;
    if (b.length < n) {
      throw Frames.fail(ErrorCode.TRUNCATED, at, "the stream ends without its last chunk");
    }
    return b;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
