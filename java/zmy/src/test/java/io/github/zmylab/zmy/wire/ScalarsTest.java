package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.Times;
import io.github.zmylab.zmy.ZmyException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarsTest {
  private static <T> byte[] write(Fixed<T> type, T v) throws ZmyException {
    Encoder e = new Encoder(new byte[64], EncodeOptions.DEFAULT);
    type.put(e, e.reserve(type.size()), v);
    return e.bytes();
  }

  private static <T> T read(Fixed<T> type, byte[] b) throws ZmyException {
    return type.get(Decoder.of(b, 0, b.length, DecodeOptions.DEFAULT), 0);
  }

  private static <T> void roundTrip(Fixed<T> type, T v) throws ZmyException {
    assertEquals(v, read(type, write(type, v)));
  }

  private static <T> void refused(Fixed<T> type, T v) {
    assertEquals(ErrorCode.DOMAIN, assertThrows(ZmyException.class, () -> write(type, v)).code());
  }

  @Test
  void unsignedEdges() throws ZmyException {
    for (int v : List.of(0, 1, 127, 128, 255)) {
      roundTrip(Scalars.UINT8, v);
    }
    for (int v : List.of(0, 32_767, 32_768, 65_535)) {
      roundTrip(Scalars.UINT16, v);
    }
    for (long v : List.of(0L, 1L << 31, (1L << 32) - 1)) {
      roundTrip(Scalars.UINT32, v);
    }
    refused(Scalars.UINT8, 256);
    refused(Scalars.UINT8, -1);
    refused(Scalars.UINT16, 65_536);
    refused(Scalars.UINT16, -1);
    refused(Scalars.UINT32, 1L << 32);
    refused(Scalars.UINT32, -1L);
  }

  @Test
  void times() throws ZmyException {
    for (Instant t : List.of(Times.ZERO, Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(-1, 999_999_999))) {
      roundTrip(Scalars.TIME, t);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 999_999_999, -999_999_999, 1_000_000_000, -1_000_000_000, -1_000_000_001, Long.MAX_VALUE, Long.MIN_VALUE + 1})
  void nanosecondsSince1970(long n) throws ZmyException {
    Instant t = Instant.ofEpochSecond(Math.floorDiv(n, 1_000_000_000), Math.floorMod(n, 1_000_000_000));
    roundTrip(Scalars.UNIX_NANO, t);
    roundTrip(Scalars.DURATION, Duration.ofNanos(n));
  }

  @Test
  void nanosecondsAtTheEdges() throws ZmyException {
    roundTrip(Scalars.UNIX_NANO, Instant.EPOCH);
    roundTrip(Scalars.UNIX_NANO, Times.ZERO);
    roundTrip(Scalars.DURATION, Duration.ofNanos(Long.MIN_VALUE));
    Instant last = Instant.ofEpochSecond(0, Long.MAX_VALUE);
    refused(Scalars.UNIX_NANO, last.plusNanos(1));
    refused(Scalars.UNIX_NANO, last.plusSeconds(1));
    refused(Scalars.UNIX_NANO, Instant.ofEpochSecond(0, Long.MIN_VALUE)); // its bits stand for 1970
    refused(Scalars.UNIX_NANO, Instant.ofEpochSecond(0, Long.MIN_VALUE).minusNanos(1));
    refused(Scalars.UNIX_NANO, Instant.MIN);
    refused(Scalars.UNIX_NANO, Instant.MAX);
    refused(Scalars.DURATION, Duration.ofNanos(Long.MAX_VALUE).plusNanos(1));
    refused(Scalars.DURATION, Duration.ofNanos(Long.MIN_VALUE).minusNanos(1));
    refused(Scalars.DURATION, Duration.ofSeconds(Long.MAX_VALUE));
    refused(Scalars.DURATION, Duration.ofSeconds(Long.MIN_VALUE));
  }
}
