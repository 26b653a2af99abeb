package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.DecodeOptions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damaged vectors: all modes say the same, nothing is thrown but what is declared, and what is
 * written again is read as the same. That other languages agree is for the runner, spec/conformance
 * -mutate.
 */
class MutantsTest {
  private static final int MUTANTS = Integer.getInteger("zmy.mutants", 20_000);
  private static final int MAX_LENGTH = 1024;

  @Test
  void modesAgree() {
    List<Vector> seeds = Vector.all().filter(v -> v.bytes().length <= MAX_LENGTH).toList();
    List<String> readers = Readers.ALL.keySet().stream().sorted().toList();
    Random r = new Random(1);
    int accepted = 0;
    for (int i = 0; i < MUTANTS; i++) {
      Vector v = seeds.get(r.nextInt(seeds.size()));
      byte[] b = damage(r, v.bytes());
      String reader = v.isMessage() && r.nextInt(16) == 0 ? readers.get(r.nextInt(readers.size())) : v.reader();
      DecodeOptions o = r.nextInt(4) == 0 ? v.limits().withExact() : v.limits();
      Outcome first = Outcome.of(Mode.DECODE, reader, b, o);
      for (Mode m : Mode.values()) {
        Outcome other = Outcome.of(m, reader, b, o);
        assertEquals(first.text(), other.text(), () -> m + " of " + HexFormat.of().formatHex(b) + " as " + reader);
      }
      if (first.again() != null) {
        accepted++;
        DecodeOptions wide = o.withMaxWire(1 << 20);
        assertEquals(first.text(), Outcome.of(Mode.DECODE, reader, first.again(), wide).text(), "written again");
      }
    }
    assertTrue(accepted > MUTANTS / 100 && accepted < MUTANTS * 99 / 100, accepted + " were accepted");
  }

  /** One to three places changed. */
  static byte[] damage(Random r, byte[] in) {
    byte[] b = in.clone();
    for (int n = 1 + r.nextInt(3); n > 0 && b.length > 0; n--) {
      int p = r.nextInt(b.length);
      switch (r.nextInt(7)) {
        case 0, 1 -> b[p] ^= (byte) (1 << r.nextInt(8));
        case 2 -> b[p] = (byte) r.nextInt();
        case 3, 4 -> b[p] += (byte) (r.nextInt(5) - 2);
        case 5 -> { // a few bytes out
          int end = Math.min(b.length, p + 1 + r.nextInt(4));
          byte[] x = Arrays.copyOf(b, b.length - (end - p));
          System.arraycopy(b, end, x, p, b.length - end);
          b = x;
        }
        default -> { // a few bytes twice
          int q = r.nextInt(b.length);
          int k = Math.min(b.length - q, 1 + r.nextInt(4));
          byte[] x = new byte[b.length + k];
          System.arraycopy(b, 0, x, 0, p);
          System.arraycopy(b, q, x, p, k);
          System.arraycopy(b, p, x, p + k, b.length - p);
          b = x;
        }
      }
    }
    return b;
  }
}
