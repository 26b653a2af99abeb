package io.github.zmylab.zmy.wire;

/**
 * Copies texts whose bytes cannot be seen, and tells whether they are ASCII. It copies the low bytes
 * of all characters, which are the text if it is ASCII, and all characters to an array of its own,
 * where one loop looks at those of many texts. The JVM makes a copy of memory of either call.
 *
 * <p>A loop over {@link String#charAt} is shorter, and as fast on Java 17. On Java 25 it took 1.4
 * times as long for an order, since each character chooses between strings of one and of two bytes a
 * character (docs/perf/java.md).
 */
final class LowBytes {
  private static final int ROOM = 1024; // characters

  private final char[] chars = new char[ROOM];
  private int used;
  private int or; // of the characters that have been looked at

  /** Copies the low bytes of all characters of s to p of b. */
  @SuppressWarnings("deprecation") // it copies low bytes, which is what is wanted
  void copy(String s, byte[] b, int p) {
    int n = s.length();
    s.getBytes(0, n, b, p);
    if (n <= ROOM - used) {
      s.getChars(0, n, chars, used);
      used += n;
    } else {
      parts(s, n);
    }
  }

  private void parts(String s, int n) {
    for (int i = 0; i < n; ) {
      if (used == ROOM) {
        look();
      }
      int m = Math.min(n - i, ROOM - used);
      s.getChars(i, i + m, chars, used);
      used += m;
      i += m;
    }
  }

  /** Reports whether all texts since the last call are ASCII. */
  boolean ascii() {
    boolean ascii = asciiSoFar();
    or = 0;
    return ascii;
  }

  /** Reports the same, and keeps it in mind for {@link #ascii}. */
  boolean asciiSoFar() {
    look();
    return or < 0x80;
  }

  private void look() {
    char[] c = chars;
    int n = used;
    int all = 0;
    for (int i = 0; i < n; i++) {
      all |= c[i];
    }
    or |= all;
    used = 0;
  }
}
