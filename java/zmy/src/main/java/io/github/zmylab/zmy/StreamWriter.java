package io.github.zmylab.zmy;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stream of records, each in as many chunks as it needs. {@link #finish} writes the end,
 * and readers refuse a stream without an end as cut off. {@link #close} does not write it, so that
 * a stream is not taken for complete if an exception leaves the block:
 *
 * <pre>{@code
 * try (StreamWriter out = new StreamWriter(file, Order.CODEC)) {
 *   for (Order o : orders) {
 *     out.write(o, Order.CODEC);
 *   }
 *   out.finish();
 * }
 * }</pre>
 *
 * <p>After a failure of the stream below, or of the compressor, nothing more is written, not even
 * the end. Only one thread at a time may use it.
 */
public final class StreamWriter implements Closeable {
  private final OutputStream out;
  private final SealOptions o;
  private final int size; // bytes of a chunk before compression at most
  private long fingerprint; // of the records' type; 0 is not known yet
  private long chunks;
  private boolean finished;
  private boolean closed;
  private @Nullable Exception failed; // after it nothing can be written

  /** Writes the header of a stream of messages of one type, under the default options. */
  public StreamWriter(OutputStream out, Codec<?> codec) throws IOException, ZmyException {
    this(out, codec.fingerprint(), SealOptions.DEFAULT);
  }

  /**
   * Writes the header of a stream.
   *
   * @param fingerprint the fingerprint of the records' type; 0 if it is unknown
   * @throws ZmyException TOO_LARGE for a schema block beyond maxWire
   */
  public StreamWriter(OutputStream out, long fingerprint, SealOptions o) throws IOException, ZmyException {
    byte[] schema = o.schema() == null ? new byte[0] : o.schema();
    Frames.checkWire((long) Frames.HEADER + schema.length, o.encode());
    this.out = out;
    this.o = o;
    this.fingerprint = fingerprint;
    size = Math.max(1, Math.min(o.chunkSize(), o.encode().maxWire() - StreamReader.CHUNK_HEADER));
    out.write(Frames.put(o.flags() | Frames.STREAM, fingerprint, schema));
  }

  /**
   * Marshals a value as the next record.
   *
   * @throws ZmyException for a value that has no encoding, TOO_LARGE, and SEQUENCE for a type that
   *     is not the schema block's: nothing has been written, and the stream goes on
   */
  public <T> void write(T v, Codec<T> codec) throws IOException, ZmyException {
    check();
    long type = codec.fingerprint();
    if (o.schema() != null && fingerprint != 0 && type != 0 && type != fingerprint) {
      throw Frames.fail(
          ErrorCode.SEQUENCE, -1, "the stream's schema is not that of " + codec.name() + ": start another stream for it");
    }
    write(codec.marshal(v, o.encode().raw()));
    fingerprint = fingerprint == 0 ? type : fingerprint;
  }

  /**
   * Writes the next record.
   *
   * @throws ZmyException TOO_LARGE for more bytes than maxRaw: nothing has been written
   */
  public void write(byte[] record) throws IOException, ZmyException {
    check();
    Frames.checkRaw(record.length, o.encode());
    int flags = StreamReader.FIRST;
    int from = 0;
    while (record.length - from > size) {
      chunk(flags, Arrays.copyOfRange(record, from, from + size));
      from += size;
      flags = 0;
    }
    chunk(flags | StreamReader.LAST, Arrays.copyOfRange(record, from, record.length));
  }

  private void check() throws IOException {
    if (failed != null) {
      throw new IOException("zmy: write stream: it failed before", failed);
    }
    if (finished || closed) {
      throw new IOException("zmy: write stream: it is " + (closed ? "closed" : "finished"));
    }
  }

  private void chunk(int flags, byte[] payload) throws IOException {
    try {
      put(flags, payload);
    } catch (IOException | RuntimeException e) {
      failed = e;
      throw e;
    }
  }

  private void put(int flags, byte[] payload) throws IOException {
    if (o.compressor() != null && payload.length > 0) {
      byte[] small = Frames.deflate(payload, o.compressor());
      if (small != null) {
        payload = small;
        flags |= StreamReader.COMPRESSED;
      }
    }
    byte[] head = new byte[StreamReader.CHUNK_HEADER];
    Frames.le(head).putInt(payload.length | flags << 24);
    if (!o.noChecksum()) {
      Frames.le(head).putInt(4, StreamReader.sum(chunks, head, payload));
    }
    chunks++;
    out.write(head);
    out.write(payload);
  }

  /** Flushes the stream below. */
  public void flush() throws IOException {
    check();
    try {
      out.flush();
    } catch (IOException | RuntimeException e) {
      failed = e;
      throw e;
    }
  }

  /**
   * Writes the end and flushes the stream below, which stays open.
   *
   * @throws IOException also if writing failed before: the stream then has no end
   */
  public void finish() throws IOException {
    if (finished) {
      return;
    }
    check();
    chunk(StreamReader.EOS, new byte[0]);
    flush();
    finished = true;
  }

  /** Closes the stream below. It writes no end: see {@link #finish}. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      out.close();
    }
  }
}
