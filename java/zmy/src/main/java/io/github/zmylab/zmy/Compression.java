package io.github.zmylab.zmy;

/** How bytes are compressed. */
public enum Compression {
  /** Not at all. */
  NONE,
  /** One LZ4 block. */
  LZ4,
  /** Zstandard frames (RFC 8878). */
  ZSTD
}
