package io.github.zmylab.zmy;

import java.time.Instant;

/** Times of the format. */
public final class Times {
  private Times() {}

  /** Seconds from year 1 to 1970. */
  public static final long UNIX = 62_135_596_800L;

  /** The zero time, which stands for none: 0001-01-01T00:00:00Z. */
  public static final Instant ZERO = Instant.ofEpochSecond(-UNIX);
}
