package io.github.zmylab.zmy.wire;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Encoders that threads use again, so that writing a message takes no memory of its own. There are
 * several places for them, chosen by thread.
 *
 * <p>SAFETY: places are read and written without synchronization. Only the thread that an encoder
 * belongs to uses it, and that field is final: a thread that finds the encoder of another one makes a
 * new one. An encoder that is busy, since marshaling calls a list or map of the user that marshals
 * too, is left alone.
 */
final class Encoders {
  private Encoders() {}

  private static final int FIRST = 512; // bytes
  private static final int MAX = 1 << 20; // bytes; larger arrays are left to the collector
  private static final int APART = 16; // references in a cache line, which places do not share

  private static final int PLACES = Integer.highestOneBit(2 * Math.min(64, Runtime.getRuntime().availableProcessors()));
  private static final @Nullable Encoder[] ALL = new @Nullable Encoder[PLACES * APART];

  /** Takes an encoder, which no other caller has. */
  static Encoder take() {
    Thread t = Thread.currentThread();
    int place = ((int) t.getId() & PLACES - 1) * APART;
    Encoder e = ALL[place];
    if (e == null || e.owner == null || !e.owner.refersTo(t)) {
      e = new Encoder(new WeakReference<>(t), new byte[FIRST]);
      ALL[place] = e;
    } else if (e.busy) {
      return new Encoder(null, new byte[FIRST]);
    }
    e.busy = true;
    return e;
  }

  /** Gives an encoder back. */
  static void give(Encoder e) {
    e.end(MAX);
    e.busy = false;
  }
}
