package io.github.zmylab.zmy;

import java.io.IOException;

/**
 * Compresses and decompresses. This library has no compressor: wrap the one that the program has.
 */
public interface Compressor {
  /** What it does. */
  Compression id();

  /** Compresses all bytes. */
  byte[] compress(byte[] raw) throws IOException;

  /**
   * Decompresses all bytes.
   *
   * @param length how many they are said to become, within the limits; more must not be made
   * @throws IOException for bytes that are damaged or become more
   */
  byte[] decompress(byte[] compressed, int length) throws IOException;
}
