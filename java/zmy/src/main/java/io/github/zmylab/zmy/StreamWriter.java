package io.github.zmylab.zmy;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes a stream of records, each in as many chunks as it takes. {@link #close} writes the end:
 * readers refuse a stream without it as cut off. Not for use by several threads.
 */
public final class StreamWriter implements Closeable {
  private final OutputStream out;
  private final SealOptions o;
  private long chunks;
  private boolean closed;

  /** Writes the header of a stream of messages of one type, under the default options. */
  public StreamWriter(OutputStream out, Codec<?> codec) throws IOException {
    this(out, codec.fingerprint(), SealOptions.DEFAULT);
  }

  /**
   * Writes the header of a stream.
   *
   * @param fingerprint that of the records' type; 0 is unknown
   */
  public StreamWriter(OutputStream out, long fingerprint, SealOptions o) throws IOException {
    this.out = out;
    this.o = o;
    out.write(Frames.put(o.flags() | Frames.STREAM, fingerprint, o.schema() == null ? new byte[0] : o.schema()));
  }

  /** Marshals a value as the next record. */
  public <T> void write(T v, Codec<T> codec) throws IOException, ZmyException {
    write(codec.marshal(v, o.encode()));
  }

  /** Writes the next record. */
  public void write(byte[] record) throws IOException {
    int n = Math.max(1, (record.length + o.chunkSize() - 1) / o.chunkSize());
    for (int i = 0; i < n; i++) {
      int from = i * o.chunkSize();
      byte[] part = Arrays.copyOfRange(record, from, Math.min(record.length, from + o.chunkSize()));
      chunk((i == 0 ? 1 : 0) | (i == n - 1 ? 2 : 0), part);
    }
  }

  private void chunk(int flags, byte[] payload) throws IOException {
    if (o.compressor() != null && payload.length > 0) {
      byte[] small = Frames.deflate(payload, o.compressor());
      if (small != null) {
        payload = small;
        flags |= 4;
      }
    }
    byte[] head = new byte[8];
    Frames.le(head).putInt(payload.length | flags << 24);
    if (!o.noChecksum()) {
      Frames.le(head).putInt(4, StreamReader.sum(chunks, head, payload));
    }
    chunks++;
    out.write(head);
    out.write(payload);
  }

  /** Passes on what was written so far. */
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      chunk(8, new byte[0]);
      out.close();
    }
  }
}
