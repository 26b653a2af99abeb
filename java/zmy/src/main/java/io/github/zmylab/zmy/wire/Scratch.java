package io.github.zmylab.zmy.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that messages are written into before their length is known. Threads take them from places
 * of their own, as far as there are some, since one place for all would be fought for.
 */
final class Scratch {
  private Scratch() {}

  private static final int FIRST = 512; // bytes
  private static final int MAX = 1 << 20; // bytes that are kept
  private static final int APART = 16; // references in a cache line

  private static final int PLACES = Integer.highestOneBit(2 * Math.min(64, Runtime.getRuntime().availableProcessors()));
  private static final AtomicReferenceArray<byte @Nullable []> ALL = new AtomicReferenceArray<>(PLACES * APART);

  private static int place() {
    return ((int) Thread.currentThread().getId() & PLACES - 1) * APART;
  }

  /** An array that nobody else has. */
  static byte[] take() {
    byte @Nullable [] b = ALL.getAndSet(place(), null);
    return b == null ? new byte[FIRST] : b;
  }

  /** Gives it, or a larger one, back. */
  static void give(byte @Nullable [] b) {
    if (b != null && b.length <= MAX) {
      ALL.lazySet(place(), b);
    }
  }
}
