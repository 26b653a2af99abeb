package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ZmyException;
import java.io.IOException;
import java.util.HexFormat;

/** The outcome of a mode: "ok" with the value written again, or an error and its place. */
record Outcome(String code, long at, String path, byte[] again, String fields) {
  static Outcome of(Mode mode, String reader, byte[] b, DecodeOptions o) {
    try {
      Mode.Accepted v = mode.run(reader, b, o);
      return new Outcome("ok", 0, "", v.again(), v.fields());
    } catch (ZmyException e) {
      boolean frame = !Readers.ALL.containsKey(reader);
      return new Outcome(e.code().name(), frame ? 0 : e.offset(), frame ? "" : e.path(), null, null);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError(mode + " of " + HexFormat.of().formatHex(b) + " as " + reader + ": unchecked", e);
    }
  }

  /** The parts that equals can compare. */
  String text() {
    return again == null ? code + " at " + at + " (" + path + ")" : code + " " + HexFormat.of().formatHex(again);
  }
}
