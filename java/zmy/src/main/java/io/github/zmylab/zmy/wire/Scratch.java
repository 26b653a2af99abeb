package io.github.zmylab.zmy.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays into which messages are written before their length is known. There are several places for
 * them, chosen by thread, since threads would contend for a single one.
 */
final class Scratch {
  private Scratch() {}

  private static final int FIRST = 512; // bytes
  private static final int MAX = 1 << 20; // bytes; larger arrays are left to the collector
  private static final int APART = 16; // references in a cache line, which places do not share

  private static final int PLACES = Integer.highestOneBit(2 * Math.min(64, Runtime.getRuntime().availableProcessors()));
  private static final AtomicReferenceArray<byte @Nullable []> ALL = new AtomicReferenceArray<>(PLACES * APART);

  private static int place() {
    return ((int) Thread.currentThread().getId() & PLACES - 1) * APART;
  }

  /** Takes an array, which no other caller has. */
  static byte[] take() {
    byte @Nullable [] b = ALL.getAndSet(place(), null);
    return b == null ? new byte[FIRST] : b;
  }

  /** Gives back the array, or the larger one that has replaced it. */
  static void give(byte @Nullable [] b) {
    if (b != null && b.length <= MAX) {
      ALL.lazySet(place(), b);
    }
  }
}
