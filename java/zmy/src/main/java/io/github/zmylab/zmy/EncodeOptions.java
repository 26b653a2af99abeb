package io.github.zmylab.zmy;

/**
 * Limits of a writer. Components that are 0 stand for the defaults, which are those of readers.
 *
 * @param maxWire bytes of a message as it travels; 128 KiB by default
 * @param maxRaw bytes of a message before compression; 4 MiB by default, or {@code maxWire} if more. A
 *     message that is not compressed obeys both limits
 * @param maxDepth structs and any values inside each other; 64 by default
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

  /** Those of a message that something makes smaller, or cuts into chunks, before it meets maxWire. */
  EncodeOptions raw() {
    return new EncodeOptions(maxRaw, maxRaw, maxDepth);
  }
}
