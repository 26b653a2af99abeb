package io.github.zmylab.zmy.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes inside strings. Java copies them to a new array only, or character by character. If the
 * bytes cannot be seen, or the system property {@code zmy.pure} is set, {@link LowBytes} is used in
 * their place, which takes two passes. Tests compare both.
 *
 * <p>SAFETY: a final field is read, up to Java 23 by the offset that the JVM gives for it, as
 * protobuf-java and Jackson's Afterburner do. Nothing is written that way, and the array is accessed
 * as any array. From Java 24 on the JVM prints a warning for such access, so the field is read there
 * only if the program opens the package: {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
final class Latin1 {
  private Latin1() {}

  private static final int LAST = 23; // the last version of Java that does not warn of Unsafe

  /** A handle of type (String) -> Object; null if the bytes cannot be seen. */
  private static final @Nullable MethodHandle VALUE = value();

  /** Whether the bytes inside strings can be seen. */
  static final boolean SEEN = VALUE != null;

  /**
   * The characters of a string as bytes, which must not be changed; null if they cannot be seen.
   */
  static byte @Nullable [] bytes(String s) {
    if (VALUE == null) {
      return null;
    }
    byte[] b;
    try {
      b = (byte[]) (Object) VALUE.invokeExact(s);
    } catch (Throwable e) {
      throw new AssertionError(e); // a handle that reads a field throws nothing
    }
    return b.length == s.length() ? b : null; // otherwise a character has two bytes
  }

  private static @Nullable MethodHandle value() {
    if (Boolean.getBoolean("zmy.pure")) {
      return null;
    }
    try {
      MethodHandle get = Runtime.version().feature() > LAST ? opened() : unsafe();
      get = get.asType(MethodType.methodType(Object.class, String.class));
      return see(get) ? get : null;
    } catch (Throwable e) {
      return null; // another JVM, or one that forbids it
    }
  }

  /** The field of a package that the program has opened. */
  private static MethodHandle opened() throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(String.class, MethodHandles.lookup());
    return lookup.findGetter(String.class, "value", byte[].class);
  }

  private static MethodHandle unsafe() throws Throwable {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field the = unsafe.getDeclaredField("theUnsafe");
    the.setAccessible(true);
    Object u = the.get(null);
    Field value = String.class.getDeclaredField("value");
    if (value.getType() != byte[].class) {
      throw new NoSuchFieldException("bytes");
    }
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    long at = (long) lookup.findVirtual(unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class)).invoke(u, value);
    MethodHandle get = lookup.findVirtual(unsafe, "getObject", MethodType.methodType(Object.class, Object.class, long.class)).bindTo(u);
    return MethodHandles.insertArguments(get, 1, at);
  }

  /**
   * Reports whether the field has the bytes of Latin-1 strings, and two bytes for each character of
   * others.
   */
  private static boolean see(MethodHandle get) throws Throwable {
    byte[] one = (byte[]) (Object) get.invokeExact("a\u00e9");
    byte[] two = (byte[]) (Object) get.invokeExact("a\u0161");
    return one.length == 2 && one[0] == 'a' && one[1] == (byte) 0xe9 && two.length == 4;
  }

  /**
   * Copies all bytes of v to p of a, or of d where that is null, eight at a time; reports whether
   * they are ASCII.
   */
  static boolean copy(byte[] v, byte @Nullable [] a, @Nullable ByteBuffer d, int p) {
    // Each call is inlined for its kind of memory, also in programs that use both.
    return a != null ? copyTo(v, a, null, p) : copyTo(v, null, d, p);
  }

  static boolean copyTo(byte[] v, byte @Nullable [] a, @Nullable ByteBuffer d, int p) {
    int n = v.length;
    long all = 0;
    if (n >= 8) {
      int last = n - 8; // the last eight may overlap those before
      for (int i = 0; i < last; i += 8) {
        long x = Le.i64(v, null, i);
        all |= x;
        Le.i64(a, d, p + i, x);
      }
      long x = Le.i64(v, null, last);
      all |= x;
      Le.i64(a, d, p + last, x);
    } else if (n >= 4) {
      int x = Le.i32(v, null, 0);
      int y = Le.i32(v, null, n - 4);
      Le.i32(a, d, p, x);
      Le.i32(a, d, p + n - 4, y);
      all = x | y;
    } else {
      for (int i = 0; i < n; i++) {
        byte x = v[i];
        all |= x;
        Le.i8(a, d, p + i, x);
      }
    }
    return (all & Utf8.HIGH) == 0;
  }
}
