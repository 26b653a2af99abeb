package io.github.zmylab.zmy;

/**
 * Limits of a writer. 0 is the default of each, which is that of readers.
 *
 * @param maxWire bytes of a message as it is sent; 128 KiB by default
 * @param maxRaw bytes of a message before compression; 4 MiB by default, or {@code maxWire} if
 *     more. Both limits apply to a message that is not compressed
 * @param maxDepth structs and values of any kind inside each other; 64 by default
 */
public record EncodeOptions(int maxWire, int maxRaw, int maxDepth) {
  /** The defaults. */
  public static final EncodeOptions DEFAULT = new EncodeOptions(0, 0, 0);

  /** Refuses negative limits and sets the defaults. */
  public EncodeOptions {
    if (maxWire < 0 || maxRaw < 0 || maxDepth < 0) {
      throw new IllegalArgumentException("a limit is negative");
    }
    maxWire = maxWire == 0 ? DecodeOptions.MAX_WIRE : maxWire;
    maxRaw = maxRaw == 0 ? Math.max(DecodeOptions.MAX_RAW, maxWire) : maxRaw;
    maxDepth = maxDepth == 0 ? DecodeOptions.MAX_DEPTH : maxDepth;
  }

  /** The limits of a message that is compressed or cut into chunks before maxWire applies. */
  EncodeOptions raw() {
    return new EncodeOptions(maxRaw, maxRaw, maxDepth);
  }
}
