package io.github.zmylab.zmy;

import io.github.zmylab.zmy.wire.Values;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How envelopes and streams are written.
 *
 * @param schema a schema block that goes along; null for none
 * @param compressor compresses what becomes shorter by it; null for none
 * @param noChecksum leaves the checksum out
 * @param chunkSize bytes of the chunks of a stream at most; 0 for 64 KiB
 * @param encode limits: maxWire of an envelope, or of each chunk of a stream, as a whole; maxRaw of what
 *     is in an envelope, or in a record, before compression
 */
public record SealOptions(byte @Nullable [] schema, @Nullable Compressor compressor, boolean noChecksum, int chunkSize, EncodeOptions encode) {
  /** With a checksum, without schema and compression. */
  public static final SealOptions DEFAULT = new SealOptions(null, null, false, 0, EncodeOptions.DEFAULT);

  private static final int CHUNK = 64 << 10;
  private static final int MAX_CHUNK = (1 << 24) - 1;

  /** Sets the defaults; a compressor that does nothing is refused. */
  public SealOptions {
    chunkSize = chunkSize == 0 ? CHUNK : chunkSize;
    if (chunkSize < 1 || chunkSize > MAX_CHUNK) {
      throw new IllegalArgumentException("chunks have 1 to " + MAX_CHUNK + " bytes");
    }
    encode = encode == null ? EncodeOptions.DEFAULT : encode;
    if (compressor != null) {
      Frames.checkId(compressor);
    }
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof SealOptions x
        && Arrays.equals(schema, x.schema)
        && Objects.equals(compressor, x.compressor)
        && noChecksum == x.noChecksum
        && chunkSize == x.chunkSize
        && encode.equals(x.encode);
  }

  @Override
  public int hashCode() {
    return Values.hash(schema, compressor, noChecksum, chunkSize, encode);
  }

  @Override
  public String toString() {
    return Values.text(
        "SealOptions", "schema", schema, "compressor", compressor, "noChecksum", noChecksum, "chunkSize", chunkSize, "encode", encode);
  }

  /** The limits of a message that goes into an envelope. */
  EncodeOptions inner() {
    return compressor == null ? encode : encode.raw();
  }

  int flags() {
    int flags = noChecksum ? 0 : Frames.CHECKSUM;
    flags |= schema == null ? 0 : Frames.SCHEMA;
    return flags | (compressor == null ? 0 : compressor.id().ordinal() << 2);
  }
}
