package io.github.zmylab.zmy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * A time with the offset of its zone. Unlike {@link OffsetDateTime} it holds every {@link Instant}
 * at every offset.
 */
public record OffsetInstant(Instant instant, ZoneOffset offset) {
  /** The zero time: year 1 in UTC. */
  public static final OffsetInstant ZERO = new OffsetInstant(Times.ZERO, ZoneOffset.UTC);

  /** Nulls become the zero time and UTC. */
  public OffsetInstant {
    instant = instant == null ? Times.ZERO : instant;
    offset = offset == null ? ZoneOffset.UTC : offset;
  }

  /** The same time as java.time has it. */
  public static OffsetInstant of(OffsetDateTime t) {
    return new OffsetInstant(t.toInstant(), t.getOffset());
  }

  /**
   * The same time as java.time has it.
   *
   * @throws java.time.DateTimeException within a year of {@link Instant#MIN} and {@link
   *     Instant#MAX}
   */
  public OffsetDateTime toOffsetDateTime() {
    return instant.atOffset(offset);
  }
}
