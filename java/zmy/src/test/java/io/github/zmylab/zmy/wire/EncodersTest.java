package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Encoders that are used again. */
class EncodersTest {
  private static final Slot<Map<String, List<String>>> LISTS = Slots.map(Slots.STRING, Slots.list(Slots.STRING));
  private static final Slot<Map<String, Map<String, String>>> MAPS =
      Slots.map(Slots.STRING, Slots.map(Slots.STRING, Slots.STRING));

  private static byte[] fresh(Map<String, Map<String, String>> m) throws ZmyException {
    Encoder e = new Encoder(new byte[16], EncodeOptions.DEFAULT);
    MAPS.write(e, m, 1);
    return e.bytes();
  }

  private static Map<String, Map<String, String>> nested(int n) {
    Map<String, Map<String, String>> m = new HashMap<>();
    for (int i = 0; i < n; i++) {
      Map<String, String> inner = new HashMap<>();
      for (int k = 0; k < (i * 7) % 40; k++) {
        inner.put("key" + k * 31 % 17 + "," + k, "v" + i);
      }
      m.put("outer" + i, inner);
    }
    return m;
  }

  /** A thread gets its encoder again, and another one while that is busy. */
  @Test
  void takenByTurns() {
    Encoder first = Encoders.take();
    Encoder second = Encoders.take();
    assertNotSame(first, second);
    Encoders.give(second);
    Encoders.give(first);
    Encoder again = Encoders.take();
    assertSame(first, again);
    Encoders.give(again);
  }

  /** What an encoder has written before, and where it has failed, changes nothing. */
  @Test
  void sameBytes() throws ZmyException {
    Encoder e = Encoders.take();
    try {
      for (int n : new int[] {3, 17, 40, 1, 16, 5}) {
        Map<String, Map<String, String>> m = nested(n);
        e.begin(EncodeOptions.DEFAULT);
        MAPS.write(e, m, 1);
        assertArrayEquals(fresh(m), e.bytes());
        e.end(1 << 20);

        Map<String, List<String>> bad = new HashMap<>();
        bad.put("a", List.of("x", "\ud800"));
        bad.put("b", List.of());
        e.begin(EncodeOptions.DEFAULT);
        ZmyException x = assertThrows(ZmyException.class, () -> LISTS.write(e, bad, 1));
        assertTrue(x.path().contains("[1]"), x.path());
        e.end(1 << 20);
      }
    } finally {
      Encoders.give(e);
    }
  }

  /** A large array, of a message before, does not let a text beyond the limit in. */
  @Test
  void limitAfterLarge() throws ZmyException {
    Encoder e = Encoders.take();
    try {
      e.begin(new EncodeOptions(1 << 20, 0, 0));
      e.text("x".repeat(300_000));
      e.end(1 << 20);
      e.begin(EncodeOptions.DEFAULT);
      ZmyException x = assertThrows(ZmyException.class, () -> e.text("x".repeat(200_000)));
      assertEquals(ErrorCode.TOO_LARGE, x.code());
      e.end(1 << 20);
      e.begin(EncodeOptions.DEFAULT);
      e.text("x".repeat(EncodeOptions.DEFAULT.maxWire()));
      assertEquals(EncodeOptions.DEFAULT.maxWire(), e.length());
    } finally {
      Encoders.give(e);
    }
  }

  /** Threads that share a place do not share an encoder. */
  @Test
  void manyThreads() throws Exception {
    Map<String, Map<String, String>> m = nested(20);
    byte[] want = fresh(m);
    AtomicInteger right = new AtomicInteger();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      Thread t = new Thread(() -> {
        for (int k = 0; k < 50; k++) {
          Encoder e = Encoders.take();
          try {
            e.begin(EncodeOptions.DEFAULT);
            MAPS.write(e, m, 1);
            if (java.util.Arrays.equals(want, e.bytes())) {
              right.incrementAndGet();
            }
          } catch (ZmyException x) {
            throw new AssertionError(x);
          } finally {
            Encoders.give(e);
          }
        }
      });
      all.add(t);
      t.start();
    }
    for (Thread t : all) {
      t.join();
    }
    assertEquals(32 * 50, right.get());
  }
}
