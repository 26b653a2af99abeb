package io.github.zmylab.zmy.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Spells keys in paths: in quotes, in ASCII, cut after 40 bytes, since a long key would fill a log.
 * The escapes are those of Go, so that every language reports the same path.
 */
final class Quote {
  private Quote() {}

  private static final int MAX = 40;

  static String step(String key) {
    return step(key.getBytes(StandardCharsets.UTF_8));
  }

  static String step(byte[] key) {
    StringBuilder s = new StringBuilder("[\"");
    byte[] b = key.length > MAX ? Arrays.copyOf(key, MAX) : key;
    for (int i = 0; i < b.length; ) {
      int n = length(b, i);
      if (n == 0) {
        s.append(String.format("\\x%02x", b[i++] & 0xff));
        continue;
      }
      append(s, new String(b, i, n, StandardCharsets.UTF_8).codePointAt(0));
      i += n;
    }
    if (b != key) {
      append(s, '…');
    }
    return s.append("\"]").toString();
  }

  /** The number of bytes of the character at i; 0 if the bytes are no UTF-8. */
  private static int length(byte[] b, int i) {
    for (int n = 1; n <= 4 && i + n <= b.length; n++) {
      if (Utf8.isValid(b, null, i, i + n)) {
        return n;
      }
    }
    return 0;
  }

  private static void append(StringBuilder s, int c) {
    int escape = "\007\b\f\n\r\t\013".indexOf(c);
    if (escape >= 0) {
      s.append('\\').append("abfnrtv".charAt(escape));
    } else if (c == '"' || c == '\\') {
      s.append('\\').append((char) c);
    } else if (c < ' ' || c == 0x7f) {
      s.append(String.format("\\x%02x", c));
    } else if (c < 0x7f) {
      s.append((char) c);
    } else {
      s.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
    }
  }
}
