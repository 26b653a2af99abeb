package io.github.zmylab.zmy;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits and choices of a reader. 0 is the default of each limit.
 *
 * @param maxWire bytes of a message as it is received; 128 KiB by default
 * @param maxRaw bytes of a message before compression; 4 MiB by default, or {@code maxWire} if
 *     more. Both limits apply to a message that is not compressed
 * @param maxDepth structs and values of any kind inside each other; 64 by default. Reading
 *     recurses: the stack of a thread with the JVM's defaults has room for some thousands
 * @param budget units of memory that the result may take, charged before it is allocated; by
 *     default 16 Mi, or 16 for each byte that a message may have, if that is more. The result takes
 *     at most two bytes of memory for each unit, four for each byte of the message, and 64 KiB
 * @param exact refuse structs of older and newer versions of their types
 */
public record DecodeOptions(int maxWire, int maxRaw, int maxDepth, long budget, boolean exact) {
  /** The defaults. */
  public static final DecodeOptions DEFAULT = new DecodeOptions(0, 0, 0, 0, false);

  static final int MAX_WIRE = 128 << 10;
  static final int MAX_RAW = 4 << 20;
  static final int MAX_DEPTH = 64;
  static final long BUDGET = 16 << 20;

  /**
   * Refuses negative limits and sets the defaults. Defaults that depend on maxWire stay 0, so that
   * they follow it.
   */
  public DecodeOptions {
    if (maxWire < 0 || maxRaw < 0 || maxDepth < 0 || budget < 0) {
      throw new IllegalArgumentException("a limit is negative");
    }
    maxWire = maxWire == 0 ? MAX_WIRE : maxWire;
    maxDepth = maxDepth == 0 ? MAX_DEPTH : maxDepth;
  }

  @Override
  public int maxRaw() {
    return maxRaw == 0 ? Math.max(MAX_RAW, maxWire) : maxRaw;
  }

  @Override
  public long budget() {
    return budget == 0 ? budgetOf(Math.min(maxWire, maxRaw())) : budget;
  }

  private static long budgetOf(int bytes) {
    return Math.max(BUDGET, 16L * bytes);
  }

  /**
   * These options with messages of at most {@code bytes}. Defaults that depend on this limit change
   * with it; limits that were given stay.
   */
  public DecodeOptions withMaxWire(int bytes) {
    return new DecodeOptions(bytes, maxRaw, maxDepth, budget, exact);
  }

  /** These options, refusing structs of older and newer versions. */
  public DecodeOptions withExact() {
    return new DecodeOptions(maxWire, maxRaw, maxDepth, budget, true);
  }

  /**
   * These options for a message of this length that an envelope or a view has accepted by its own
   * limits. Unless a budget was given, the budget is in proportion to the length.
   */
  public DecodeOptions ofLength(int length) {
    long units = budget == 0 ? budgetOf(length) : budget;
    return new DecodeOptions(Math.max(length, maxWire), maxRaw, maxDepth, units, exact);
  }

  @Override
  public boolean equals(@Nullable Object other) { // by the limits that hold, given or not
    return other instanceof DecodeOptions o
        && maxWire == o.maxWire
        && maxRaw() == o.maxRaw()
        && maxDepth == o.maxDepth
        && budget() == o.budget()
        && exact == o.exact;
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxWire, maxRaw(), maxDepth, budget(), exact);
  }
}
