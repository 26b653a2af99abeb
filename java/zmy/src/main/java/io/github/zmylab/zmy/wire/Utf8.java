package io.github.zmylab.zmy.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** UTF-8 in messages: without surrogates, each character in its shortest form. */
final class Utf8 {
  private Utf8() {}

  /** The top bits of eight bytes, which ASCII does not have. */
  static final long HIGH = 0x8080808080808080L;

  /** Reports whether all bytes are ASCII. Most text is, and needs no other check then. */
  static boolean isAscii(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    if (to - from < 8) {
      return isAsciiShort(a, d, from, to);
    }
    int last = to - 8; // the last eight may overlap those before
    for (int i = from; i < last; i += 8) {
      if ((Le.i64(a, d, i) & HIGH) != 0) {
        return false;
      }
    }
    return (Le.i64(a, d, last) & HIGH) == 0;
  }

  private static boolean isAsciiShort(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    if (to - from >= 4) {
      return ((Le.i32(a, d, from) | Le.i32(a, d, to - 4)) & (int) HIGH) == 0;
    }
    int all = 0;
    for (int i = from; i < to; i++) {
      all |= Le.i8(a, d, i);
    }
    return all >= 0;
  }

  /** Reports whether a byte continues a character. */
  static boolean continues(int b) {
    return (b & 0xc0) == 0x80;
  }

  static boolean isValid(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    return isAscii(a, d, from, to) || isValidSlow(a, d, from, to);
  }

  /** The general case: the table of well-formed sequences of the Unicode standard (3-7). */
  private static boolean isValidSlow(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to) {
    int i = from;
    while (i < to) {
      int c = Le.i8(a, d, i++) & 0xff;
      if (c < 0x80) {
        continue;
      }
      int more = c < 0xc2 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 0;
      if (more == 0 || to - i < more) {
        return false;
      }
      int next = Le.i8(a, d, i) & 0xff;
      int lo = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
      int hi = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
      if (next < lo || next > hi) {
        return false;
      }
      for (int k = 1; k < more; k++) {
        if (!continues(Le.i8(a, d, i + k))) {
          return false;
        }
      }
      i += more;
    }
    return true;
  }

  /** The text of valid bytes. ascii says whether all of them are ASCII. */
  @SuppressWarnings("deprecation") // ASCII needs no charset
  static String string(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, boolean ascii) {
    if (from == to) {
      return "";
    }
    byte[] b = a;
    int at = from;
    if (b == null) {
      b = Le.copy(null, d, from, to);
      at = 0;
    }
    return ascii ? new String(b, 0, at, to - from) : new String(b, at, to - from, StandardCharsets.UTF_8);
  }

  /** The number of bytes of the characters of s from i on; -1 if a surrogate is alone. */
  static long length(String s, int i) {
    long n = 0;
    int end = s.length();
    for (; i < end; i++) {
      char c = s.charAt(i);
      if (c < 0x80) {
        n++;
      } else if (c < 0x800) {
        n += 2;
      } else if (!Character.isSurrogate(c)) {
        n += 3;
      } else {
        if (!Character.isHighSurrogate(c) || i + 1 == end || !Character.isLowSurrogate(s.charAt(i + 1))) {
          return -1;
        }
        i++;
        n += 4;
      }
    }
    return n;
  }

  /** Sets the bytes of a text without lone surrogates from p on. */
  static void put(byte @Nullable [] a, @Nullable ByteBuffer d, int p, String s) {
    int end = s.length();
    for (int i = 0; i < end; i++) {
      int c = s.charAt(i);
      if (c < 0x80) {
        Le.i8(a, d, p++, c);
        continue;
      }
      if (c < 0x800) {
        Le.i8(a, d, p++, 0xc0 | c >> 6);
      } else {
        if (!Character.isSurrogate((char) c)) {
          Le.i8(a, d, p++, 0xe0 | c >> 12);
        } else {
          c = Character.toCodePoint((char) c, s.charAt(++i));
          Le.i8(a, d, p++, 0xf0 | c >> 18);
          Le.i8(a, d, p++, 0x80 | c >> 12 & 0x3f);
        }
        Le.i8(a, d, p++, 0x80 | c >> 6 & 0x3f);
      }
      Le.i8(a, d, p++, 0x80 | c & 0x3f);
    }
  }

  /** Orders texts as their bytes in UTF-8, which is the order of code points. */
  static int compare(String x, String y) {
    int n = Math.min(x.length(), y.length());
    for (int i = 0; i < n; i++) {
      char c = x.charAt(i);
      char e = y.charAt(i);
      if (c != e) {
        // A surrogate is part of a character above all those of one char.
        if (c >= Character.MIN_SURROGATE && e >= Character.MIN_SURROGATE) {
          return Boolean.compare(Character.isSurrogate(c), Character.isSurrogate(e)) != 0
              ? (Character.isSurrogate(c) ? 1 : -1)
              : c - e;
        }
        return c - e;
      }
    }
    return x.length() - y.length();
  }
}
