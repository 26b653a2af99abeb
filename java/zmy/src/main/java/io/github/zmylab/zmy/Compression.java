package io.github.zmylab.zmy;

/** Compressions of bytes. The ordinals are the numbers of the format. */
public enum Compression {
  /** No compression. */
  NONE,
  /** One LZ4 block. */
  LZ4,
  /** Zstandard frames (RFC 8878). */
  ZSTD
}
