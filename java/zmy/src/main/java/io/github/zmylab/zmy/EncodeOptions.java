package io.github.zmylab.zmy;

/**
 * Limits of a writer. Components that are 0 stand for the defaults, which are those of readers.
 *
 * @param maxWire bytes of a message; 128 KiB by default
 * @param maxDepth structs and any values inside each other; 64 by default
 */
public record EncodeOptions(int maxWire, int maxDepth) {
  /** The defaults. */
  public static final EncodeOptions DEFAULT = new EncodeOptions(0, 0);

  /** Refuses negative limits and sets the defaults. */
  public EncodeOptions {
    if (maxWire < 0 || maxDepth < 0) {
      throw new IllegalArgumentException("a limit is negative");
    }
    maxWire = maxWire == 0 ? DecodeOptions.MAX_WIRE : maxWire;
    maxDepth = maxDepth == 0 ? DecodeOptions.MAX_DEPTH : maxDepth;
  }
}
