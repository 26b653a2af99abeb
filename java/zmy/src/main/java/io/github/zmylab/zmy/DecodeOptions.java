package io.github.zmylab.zmy;

/**
 * Limits and choices of a reader. Components that are 0 stand for the defaults.
 *
 * @param maxWire bytes of a message as it travels; 128 KiB by default
 * @param maxRaw bytes of a message before compression; 4 MiB by default, or {@code maxWire} if more
 * @param maxDepth structs and any values inside each other; 64 by default. Reading recurses: the stack
 *     of a thread with the JVM's defaults takes some thousands
 * @param budget units of memory that the result may take, charged before it is taken; by default 16
 *     Mi, or 16 for each byte of {@code maxWire} if more
 * @param exact refuse structs of older and newer versions of their types
 */
public record DecodeOptions(int maxWire, int maxRaw, int maxDepth, long budget, boolean exact) {
  /** The defaults. */
  public static final DecodeOptions DEFAULT = new DecodeOptions(0, 0, 0, 0, false);

  static final int MAX_WIRE = 128 << 10;
  static final int MAX_RAW = 4 << 20;
  static final int MAX_DEPTH = 64;
  static final long BUDGET = 16 << 20;

  /** Refuses negative limits and sets the defaults. */
  public DecodeOptions {
    if (maxWire < 0 || maxRaw < 0 || maxDepth < 0 || budget < 0) {
      throw new IllegalArgumentException("a limit is negative");
    }
    maxWire = maxWire == 0 ? MAX_WIRE : maxWire;
    maxRaw = maxRaw == 0 ? Math.max(MAX_RAW, maxWire) : maxRaw;
    maxDepth = maxDepth == 0 ? MAX_DEPTH : maxDepth;
    budget = budget == 0 ? Math.max(BUDGET, 16L * maxWire) : budget;
  }

  /** The same, with messages of at most {@code bytes}; other limits that follow from it grow along. */
  public DecodeOptions withMaxWire(int bytes) {
    return new DecodeOptions(bytes, Math.max(maxRaw, bytes), maxDepth, Math.max(budget, 16L * bytes), exact);
  }

  /** The same, refusing structs of older and newer versions. */
  public DecodeOptions withExact() {
    return new DecodeOptions(maxWire, maxRaw, maxDepth, budget, true);
  }
}
