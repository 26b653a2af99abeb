package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ZmyException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parts of views' methods. A slot is a long: its start is the upper half, its end the lower, so
 * that reading allocates nothing. Malformed bytes, which only a message that was not verified has,
 * read as empty.
 */
public final class Views {
  private Views() {}

  private static long slot(int lo, int hi) {
    return (long) lo << 32 | hi;
  }

  private static int lo(long slot) {
    return (int) (slot >> 32);
  }

  private static int hi(long slot) {
    return (int) slot;
  }

  private static int word(StructView v, int at, int es) {
    return Layout.word(v.a, v.d, at, es);
  }

  /** Reports whether a slot is empty. */
  public static boolean isEmpty(long slot) {
    return lo(slot) == hi(slot);
  }

  // Fields.

  /**
   * The place of the size bytes at offset off of the scalars; -1 if the writer's version lacks
   * them.
   */
  public static int at(StructView v, int off, int size) {
    return off + size > v.scalars ? -1 : v.at + off;
  }

  /** The slot of tail i; empty if the writer's version lacks it. */
  public static long tail(StructView v, int i) {
    if (i >= v.tails) {
      return 0;
    }
    int words = v.at + v.scalars;
    int lo = i == 0 ? words - v.from + v.es * v.tails : word(v, words + v.es * (i - 1), v.es);
    return slot(v.from + lo, v.from + word(v, words + v.es * i, v.es));
  }

  /** The place of field i of a sparse struct, a scalar; -1 if it is not there. */
  public static int sparseAt(StructView v, int i) {
    if (!has(v, i)) {
      return -1;
    }
    Layout.Field[] fields = v.layout.fields;
    int at = v.at;
    for (int j = 0; j < i; j++) {
      at += has(v, j) ? fields[j].size() : 0;
    }
    return at + fields[i].size() > v.at + v.scalars ? -1 : at;
  }

  /** The slot of field i of a sparse struct, a tail; empty if it is not there. */
  public static long sparseTail(StructView v, int i) {
    if (!has(v, i)) {
      return 0;
    }
    Layout.Field[] fields = v.layout.fields;
    int tail = 0;
    for (int j = 0; j < i; j++) {
      tail += fields[j].size() == 0 && has(v, j) ? 1 : 0;
    }
    return tail(v, tail);
  }

  private static boolean has(StructView v, int i) {
    return v.from < v.to
        && i < 8 * (Le.i8(v.a, v.d, v.from + 4) & 0xff)
        && (Le.i8(v.a, v.d, v.from + 5 + (i >> 3)) >> (i & 7) & 1) != 0;
  }

  // Scalars at a place.

  /** A byte. */
  public static byte i8(StructView v, int at) {
    return Le.i8(v.a, v.d, at);
  }

  /** Two bytes. */
  public static short i16(StructView v, int at) {
    return Le.i16(v.a, v.d, at);
  }

  /** Four bytes. */
  public static int i32(StructView v, int at) {
    return Le.i32(v.a, v.d, at);
  }

  /** Eight bytes. */
  public static long i64(StructView v, int at) {
    return Le.i64(v.a, v.d, at);
  }

  /** A float. */
  public static float f32(StructView v, int at) {
    return Le.f32(v.a, v.d, at);
  }

  /** A double. */
  public static double f64(StructView v, int at) {
    return Le.f64(v.a, v.d, at);
  }

  /** Another value of a fixed size; the zero value if the bytes are no value. */
  public static <T> T fixed(StructView v, Fixed<T> type, int at) {
    if (at < 0) {
      return type.zero();
    }
    try {
      return type.get(decoder(v), at);
    } catch (ZmyException e) {
      return type.zero();
    }
  }

  /** The decoder of a field of a view. Its budget is in proportion to the length of the struct. */
  private static Decoder decoder(StructView v) throws ZmyException {
    return new Decoder(v.a, v.d, v.from, v.to, DecodeOptions.DEFAULT.ofLength(v.to - v.from));
  }

  // Slots.

  /** Text. */
  public static String text(StructView v, long slot) {
    int lo = lo(slot);
    int hi = hi(slot);
    return Utf8.string(v.a, v.d, lo, hi, Utf8.isAscii(v.a, v.d, lo, hi));
  }

  /** Reports whether a slot has this text, without allocations if it is ASCII. */
  public static boolean is(StructView v, long slot, String text) {
    return compare(v, slot, text) == 0;
  }

  /** Bytes. */
  public static byte[] bytes(StructView v, long slot) {
    return Le.copy(v.a, v.d, lo(slot), hi(slot));
  }

  /** A struct, opened in into. */
  public static <V extends StructView> V struct(StructView v, long slot, V into) {
    into.openSlot(v, lo(slot), hi(slot));
    return into;
  }

  /** A value of any other type. */
  public static <T extends @Nullable Object> T read(StructView v, long slot, Slot<T> type) throws ZmyException {
    return type.read(decoder(v), lo(slot), hi(slot), 1);
  }

  /** The slot of a value behind 0x01. */
  public static long behind(long slot) {
    return isEmpty(slot) ? slot : slot(lo(slot) + 1, hi(slot));
  }

  // Lists.

  /** The number of elements, of size bytes, of a packed list. */
  public static int packedSize(long slot, int size) {
    return (hi(slot) - lo(slot)) / size;
  }

  /** The place of element i of a packed list. */
  public static int packedAt(long slot, int size, int i) {
    return lo(slot) + size * Objects.checkIndex(i, packedSize(slot, size));
  }

  /** The number of elements of a list of slots. */
  public static int listSize(StructView v, long slot) {
    return size(v, lo(slot), hi(slot), 0);
  }

  /** The slot of element i of a list of slots. */
  public static long element(StructView v, long slot, int i) {
    return element(v, lo(slot), hi(slot), 0, Objects.checkIndex(i, listSize(v, slot)));
  }

  /** The number of elements of a list whose words start at offset at. */
  private static int size(StructView v, int lo, int hi, int at) {
    int es = Layout.wordSize(hi - lo);
    if (hi - lo < at + 2 * es) {
      return 0;
    }
    int first = word(v, lo + at, es);
    if (first < at + 2 * es || first > hi - lo || (first - at & es - 1) != 0) {
      return 0;
    }
    return (first - at >> es / 2) - 1; // no division: es is 2 or 4
  }

  private static long element(StructView v, int lo, int hi, int at, int i) {
    int es = Layout.wordSize(hi - lo);
    int from = word(v, lo + at + es * i, es);
    int to = word(v, lo + at + es * (i + 1), es);
    if (from < 0 || from > to || to > hi - lo) {
      return 0;
    }
    return slot(lo + from, lo + to);
  }

  /** The number of elements of a list of structs that share their header. */
  public static int denseSize(StructView v, long slot) {
    int length = hi(slot) - lo(slot);
    if (length < 4) {
      return 0;
    }
    int h = Le.i32(v.a, v.d, lo(slot));
    int size = h & Layout.MAX_SECTION;
    if (h >> 14 != 0) {
      return size(v, lo(slot), hi(slot), 4);
    }
    return size == 0 ? 0 : (length - 4) / size;
  }

  /** Element i of such a list, opened in into. */
  public static <V extends StructView> V dense(StructView v, long slot, int i, V into) {
    Objects.checkIndex(i, denseSize(v, slot));
    into.a = v.a;
    into.d = v.d;
    int lo = lo(slot);
    int h = Le.i32(v.a, v.d, lo);
    if (h >> 14 != 0) {
      long e = element(v, lo, hi(slot), 4, i);
      into.open(lo(e), hi(e), h, 0);
    } else {
      int at = lo + 4 + i * h;
      into.open(at, at + h, h, 0);
    }
    return into;
  }

  // Maps whose keys are texts.

  /** The number of pairs of a map. */
  public static int mapSize(StructView v, long slot) {
    return listSize(v, keys(v, slot));
  }

  /** Key i of a map, in increasing order. */
  public static String key(StructView v, long slot, int i) {
    return text(v, element(v, keys(v, slot), i));
  }

  private static long keys(StructView v, long slot) {
    int es = Layout.wordSize(hi(slot) - lo(slot));
    int end = end(v, slot, es);
    return end == 0 ? 0 : slot(lo(slot) + es, lo(slot) + end);
  }

  private static int end(StructView v, long slot, int es) {
    if (hi(slot) - lo(slot) < es) {
      return 0;
    }
    int end = word(v, lo(slot), es);
    return end <= es || end > hi(slot) - lo(slot) ? 0 : end;
  }

  /** The column of a map's values. */
  public static long values(StructView v, long slot) {
    int end = end(v, slot, Layout.wordSize(hi(slot) - lo(slot)));
    return end == 0 ? 0 : slot(lo(slot) + end, hi(slot));
  }

  /** The index of a key of a map, by binary search; -1 if it is not there. */
  public static int find(StructView v, long slot, String key) {
    long keys = keys(v, slot);
    int lo = 0;
    int hi = listSize(v, keys) - 1;
    while (lo <= hi) {
      int mid = (lo + hi) >>> 1;
      int c = compare(v, element(v, keys, mid), key);
      if (c == 0) {
        return mid;
      }
      if (c < 0) {
        lo = mid + 1;
      } else {
        hi = mid - 1;
      }
    }
    return -1;
  }

  /** Compares the bytes of a slot with those of a text. */
  private static int compare(StructView v, long slot, String text) {
    int at = lo(slot);
    int end = hi(slot);
    for (int i = 0; i < text.length(); i++) {
      int c = text.charAt(i);
      if (c >= 0x80) {
        return compareRest(v, at, end, text.substring(i));
      }
      int diff = (at == end ? -1 : Le.i8(v.a, v.d, at) & 0xff) - c;
      if (diff != 0) {
        return diff;
      }
      at++;
    }
    return end - at;
  }

  private static int compareRest(StructView v, int at, int end, String text) {
    if (Utf8.length(text, 0) < 0) {
      return -1; // a surrogate that stands alone is no text of a message, and would become '?'
    }
    byte[] b = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.compareUnsigned(Le.copy(v.a, v.d, at, end), b);
  }
}
