package io.github.zmylab.zmy;

import io.github.zmylab.zmy.wire.Values;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message with its fingerprint, schema and checksum, for readers that do not know it from the
 * context.
 *
 * @param fingerprint the fingerprint of the message's type; 0 if it is unknown
 * @param checksum whether the envelope has a checksum, which is then right
 * @param compression the compression of the body
 * @param schema the schema block; null for none
 * @param message the bare message
 */
public record Envelope(long fingerprint, boolean checksum, Compression compression, byte @Nullable [] schema, byte[] message) {
  /** Refuses nulls other than that of the schema. */
  public Envelope {
    Objects.requireNonNull(compression, "compression");
    Objects.requireNonNull(message, "message");
  }

  @Override
  public String toString() {
    return Values.text(
        "Envelope", "fingerprint", Long.toHexString(fingerprint), "checksum", checksum, "compression", compression, "schema", schema, "message", message);
  }

  /** Opens an envelope under the default options. */
  public static Envelope open(byte[] b) throws ZmyException {
    return open(b, OpenOptions.DEFAULT);
  }

  /**
   * Opens an envelope.
   *
   * @throws ZmyException for bytes that are no envelope; offsets count from their start
   */
  public static Envelope open(byte[] b, OpenOptions o) throws ZmyException {
    DecodeOptions limits = o.decode();
    if (b.length > limits.maxWire()) {
      throw Frames.fail(ErrorCode.TOO_LARGE, 0, b.length + " bytes, maxWire is " + limits.maxWire());
    }
    Frames.Header h = Frames.header(b);
    if (h.has(Frames.STREAM)) {
      throw Frames.fail(ErrorCode.RESERVED, 4, "this is a stream, which a StreamReader reads");
    }
    long size = h.size() & 0xffffffffL;
    if (size != b.length - Frames.HEADER) {
      ErrorCode code = size > b.length - Frames.HEADER ? ErrorCode.TRUNCATED : ErrorCode.LENGTH;
      throw Frames.fail(code, 16, "the body is said to have " + size + " bytes");
    }
    o.check(h);
    Frames.check(h, b);
    byte[] payload = Arrays.copyOfRange(b, Frames.HEADER, b.length);
    if (h.compression() != Compression.NONE) {
      payload = Frames.inflate(payload, h.compression(), limits.maxRaw(), o.compressors(), Frames.HEADER);
    }
    byte @Nullable [] schema = null;
    if (h.has(Frames.SCHEMA)) {
      long n = payload.length < 4 ? -1 : Frames.le(payload).getInt(0) & 0xffffffffL;
      if (n < 0 || n > payload.length - 4) {
        throw Frames.fail(ErrorCode.TRUNCATED, Frames.HEADER, "schema block");
      }
      schema = Arrays.copyOfRange(payload, 4, 4 + (int) n);
      payload = Arrays.copyOfRange(payload, 4 + (int) n, payload.length);
    }
    return new Envelope(h.fingerprint(), h.has(Frames.CHECKSUM), h.compression(), schema, payload);
  }

  /** Opens an envelope and unmarshals its message. */
  public static <T> T unseal(byte[] b, Codec<T> codec) throws ZmyException {
    return unseal(b, codec, OpenOptions.DEFAULT);
  }

  /** {@link #unseal(byte[], Codec)} under other options. */
  public static <T> T unseal(byte[] b, Codec<T> codec, OpenOptions o) throws ZmyException {
    Envelope e = open(b, o);
    checkType(e.fingerprint, codec, o);
    return codec.unmarshal(e.message, o.decode().ofLength(e.message.length));
  }

  /**
   * Refuses another fingerprint, if exact is set. Otherwise reading the message shows whether it
   * fits.
   */
  static void checkType(long fingerprint, Codec<?> codec, OpenOptions o) throws ZmyException {
    if (o.decode().exact() && fingerprint != 0 && codec.fingerprint() != 0 && fingerprint != codec.fingerprint()) {
      throw Frames.fail(ErrorCode.VERSION, 8, "another fingerprint");
    }
  }

  /** Marshals a value and puts an envelope around it. */
  public static <T> byte[] seal(T v, Codec<T> codec) throws ZmyException {
    try {
      return seal(v, codec, SealOptions.DEFAULT);
    } catch (IOException e) {
      throw new AssertionError(e); // nothing is compressed
    }
  }

  /**
   * {@link #seal(Object, Codec)} under other options.
   *
   * @throws ZmyException for a value without a form on the wire, and TOO_LARGE
   * @throws IOException if the compressor does
   */
  public static <T> byte[] seal(T v, Codec<T> codec, SealOptions o) throws ZmyException, IOException {
    return seal(codec.fingerprint(), codec.marshal(v, o.inner()), o);
  }

  /**
   * Puts an envelope around a message.
   *
   * @throws ZmyException TOO_LARGE: message and schema for maxRaw, or the envelope for maxWire
   * @throws IOException if the compressor does
   */
  public static byte[] seal(long fingerprint, byte[] message, SealOptions o) throws ZmyException, IOException {
    byte[] payload = message;
    Frames.checkRaw(message.length + (o.schema() == null ? 0 : 4L + o.schema().length), o.encode());
    if (o.schema() != null) {
      int n = o.schema().length;
      payload = new byte[4 + n + message.length];
      Frames.le(payload).putInt(n).put(o.schema()).put(message);
    }
    int flags = o.flags();
    if (o.compressor() != null) {
      byte[] small = Frames.deflate(payload, o.compressor());
      if (small == null) {
        flags &= ~Frames.COMPRESSION;
      } else {
        payload = small;
      }
    }
    Frames.checkWire((long) Frames.HEADER + payload.length, o.encode());
    return Frames.put(flags, fingerprint, payload);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Envelope e
        && fingerprint == e.fingerprint
        && checksum == e.checksum
        && compression == e.compression
        && Arrays.equals(schema, e.schema)
        && Arrays.equals(message, e.message);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(fingerprint) + Arrays.hashCode(message);
  }
}
