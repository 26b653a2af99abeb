package io.github.zmylab.zmy;

import io.github.zmylab.zmy.wire.Values;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of envelopes and streams that are written.
 *
 * @param schema a schema block to add; null for none
 * @param compressor compresses the bodies that get shorter by it; null for none
 * @param noChecksum leaves out the checksum
 * @param chunkSize the most bytes of a stream's chunk; 0 for 64 KiB
 * @param encode limits: maxWire is for an envelope, and for each chunk of a stream; maxRaw is for
 *     the content of an envelope, and for each record, before compression
 */
public record SealOptions(byte @Nullable [] schema, @Nullable Compressor compressor, boolean noChecksum, int chunkSize, EncodeOptions encode) {
  /** A checksum, no schema and no compression. */
  public static final SealOptions DEFAULT = new SealOptions(null, null, false, 0, EncodeOptions.DEFAULT);

  private static final int CHUNK = 64 << 10;
  private static final int MAX_CHUNK = (1 << 24) - 1;

  /** Sets the defaults, and refuses a compressor whose id is NONE. */
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

  /** The limits of a message in an envelope. */
  EncodeOptions inner() {
    return compressor == null ? encode : encode.raw();
  }

  int flags() {
    int flags = noChecksum ? 0 : Frames.CHECKSUM;
    flags |= schema == null ? 0 : Frames.SCHEMA;
    return flags | (compressor == null ? 0 : compressor.id().ordinal() << 2);
  }
}
