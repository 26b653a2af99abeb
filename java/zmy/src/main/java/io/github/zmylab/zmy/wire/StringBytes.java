package io.github.zmylab.zmy.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Reads the bytes inside strings where the JVM allows it: {@code --add-opens
 * java.base/java.lang=io.github.zmylab.zmy}, or {@code =ALL-UNNAMED} on the class path. Then text is
 * copied at once; without, character by character. Nothing else differs.
 */
final class StringBytes {
  private StringBytes() {}

  private static final VarHandle VALUE = field("value", byte[].class);
  private static final VarHandle CODER = field("coder", byte.class);

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(String.class, MethodHandles.lookup()).findVarHandle(String.class, name, type);
    } catch (ReflectiveOperationException e) { // closed, or another JVM's String
      return null;
    }
  }

  /** The characters of s as one byte each, which must not be changed; null where that cannot be had. */
  static byte[] latin1(String s) {
    if (VALUE == null || CODER == null || (byte) CODER.get(s) != 0) {
      return null;
    }
    return (byte[]) VALUE.get(s);
  }
}
