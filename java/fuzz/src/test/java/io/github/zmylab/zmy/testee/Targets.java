package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.zmylab.zmy.DecodeOptions;
import java.util.Arrays;
import java.util.List;

/**
 * The targets of Jazzer. Inputs begin with a byte that chooses the reader, and limits; see {@link
 * Seeds}.
 */
class Targets {
  static final List<String> READERS = Readers.ALL.keySet().stream().sorted().toList();
  static final List<String> FRAMES = List.of("envelope", "stream");

  /** All modes say the same of a message, and what is written again is read as the same. */
  @FuzzTest(maxDuration = "1m")
  void messages(byte[] input) {
    agree(READERS, input, Mode.values());
  }

  /** The same of envelopes and streams, which have one mode. */
  @FuzzTest(maxDuration = "1m")
  void frames(byte[] input) {
    agree(FRAMES, input, Mode.DECODE);
  }

  /** Methods of a view that was not verified return, or throw what they declare. */
  @FuzzTest(maxDuration = "1m")
  void views(byte[] input) throws Exception {
    if (input.length > 0) {
      ViewsTest.survive(READERS.get((input[0] & 0x7f) % READERS.size()), rest(input), input[0] < 0);
    }
  }

  private static byte[] rest(byte[] input) {
    return Arrays.copyOfRange(input, 1, input.length);
  }

  private static void agree(List<String> readers, byte[] input, Mode... modes) {
    if (input.length == 0) {
      return;
    }
    String reader = readers.get((input[0] & 0x7f) % readers.size());
    byte[] b = rest(input);
    DecodeOptions o = input[0] < 0 ? DecodeOptions.DEFAULT.withExact() : DecodeOptions.DEFAULT;
    Outcome first = Outcome.of(modes[0], reader, b, o);
    for (Mode m : modes) {
      assertEquals(first.text(), Outcome.of(m, reader, b, o).text(), reader);
    }
    if (first.again() != null) {
      DecodeOptions wide = o.withMaxWire(1 << 20);
      assertEquals(first.text(), Outcome.of(modes[0], reader, first.again(), wide).text(), "written again");
    }
  }
}
