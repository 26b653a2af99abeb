package io.github.zmylab.zmy;

import java.io.IOException;

/**
 * Compresses and decompresses. This library has no compressor: a program wraps that of its choice.
 */
public interface Compressor {
  /** The compression that envelopes and streams name for it. */
  Compression id();

  /** Compresses all bytes. */
  byte[] compress(byte[] raw) throws IOException;

  /**
   * Decompresses all bytes.
   *
   * @param length the announced length of the result, which is within the limits. The compressor
   *     must not produce more: a few bytes could fill the memory
   * @throws IOException for bytes that are damaged or longer once decompressed
   */
  byte[] decompress(byte[] compressed, int length) throws IOException;
}
