package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fast way to write most structs: into an array, with the position as a parameter and a result, which
 * the JVM keeps in a register. Generated code calls it for structs of its own version.
 *
 * <p>Each function appends a value at p, before end, and returns the position behind it. If the value
 * does not fit, is wide, or cannot be written, the result is {@link #NO}. With NO as the position a
 * function does nothing and returns NO, so that a caller need not look after each call. {@link
 * StructCodec#write}, the general way, then writes the struct anew, or says what is wrong with it.
 */
public final class Fast {
  private Fast() {}

  /** A position behind any end. */
  public static final int NO = Integer.MAX_VALUE;

  /** The result for structs that have no fast way. */
  static final int NEVER = NO - 1;

  /**
   * Ends the fast way of a struct, and of all around it, where a struct inside of it has failed. Each of
   * them would fail too, and would first have written all inside of it once more.
   */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;
    static final Failed FAILED = new Failed();

    private Failed() {
      super(null, null, false, false);
    }
  }

  /** Reports whether n bytes fit, for a struct at a depth. */
  public static boolean fits(Encoder e, int n, int room, int depth) {
    return n <= room && depth <= e.maxDepth;
  }

  /** Sets a byte. */
  public static void i8(byte[] a, int at, int v) {
    a[at] = (byte) v;
  }

  /** Sets two bytes. */
  public static void i16(byte[] a, int at, int v) {
    Le.i16(a, null, at, v);
  }

  /** Sets four bytes. */
  public static void i32(byte[] a, int at, int v) {
    Le.i32(a, null, at, v);
  }

  /** Sets eight bytes. */
  public static void i64(byte[] a, int at, long v) {
    Le.i64(a, null, at, v);
  }

  /** Sets a float. */
  public static void f32(byte[] a, int at, float v) {
    Le.f32(a, null, at, v);
  }

  /** Sets a double. */
  public static void f64(byte[] a, int at, double v) {
    Le.f64(a, null, at, v);
  }

  /** Appends text. */
  public static int text(Encoder e, byte[] a, int p, int end, @Nullable String s) {
    if (s == null) {
      return p;
    }
    int n = s.length();
    if (n > end - p) {
      return NO;
    }
    if (Latin1.SEEN) {
      byte[] v = Latin1.bytes(s);
      if (v != null && Latin1.copyTo(v, a, null, p)) {
        return p + n;
      }
    } else {
      e.low.copy(s, a, p);
      if (e.wide == 0 || e.low.ascii()) { // 0: texts are looked at together, at the end and before slot
        return p + n;
      }
    }
    return wide(a, p, end, s);
  }

  /** Reports whether all texts that were copied before they were looked at are ASCII. */
  static boolean ascii(Encoder e) {
    return Latin1.SEEN || e.low.ascii();
  }

  private static int wide(byte[] a, int p, int end, String s) {
    long n = Utf8.length(s, 0);
    if (n < 0 || n > end - p) {
      return NO;
    }
    Utf8.put(a, null, p, s);
    return p + (int) n;
  }

  /** Appends bytes. */
  public static int bytes(byte[] a, int p, int end, byte[] v) {
    if (v == null) {
      return p;
    }
    if (v.length > end - p) {
      return NO;
    }
    System.arraycopy(v, 0, a, p, v.length);
    return p + v.length;
  }

  /** Appends numbers. */
  public static int numbers(byte[] a, int p, int end, short[] v) {
    if (v == null) {
      return p;
    }
    if (2L * v.length > end - p) {
      return NO;
    }
    Le.buffer(a, null, p, 2 * v.length).asShortBuffer().put(v);
    return p + 2 * v.length;
  }

  /** Appends numbers. */
  public static int numbers(byte[] a, int p, int end, int[] v) {
    if (v == null) {
      return p;
    }
    if (4L * v.length > end - p) {
      return NO;
    }
    Le.buffer(a, null, p, 4 * v.length).asIntBuffer().put(v);
    return p + 4 * v.length;
  }

  /** Appends numbers. */
  public static int numbers(byte[] a, int p, int end, long[] v) {
    if (v == null) {
      return p;
    }
    if (8L * v.length > end - p) {
      return NO;
    }
    Le.buffer(a, null, p, 8 * v.length).asLongBuffer().put(v);
    return p + 8 * v.length;
  }

  /** Appends numbers. */
  public static int numbers(byte[] a, int p, int end, float[] v) {
    if (v == null) {
      return p;
    }
    if (4L * v.length > end - p) {
      return NO;
    }
    Le.buffer(a, null, p, 4 * v.length).asFloatBuffer().put(v);
    return p + 4 * v.length;
  }

  /** Appends numbers. */
  public static int numbers(byte[] a, int p, int end, double[] v) {
    if (v == null) {
      return p;
    }
    if (8L * v.length > end - p) {
      return NO;
    }
    Le.buffer(a, null, p, 8 * v.length).asDoubleBuffer().put(v);
    return p + 8 * v.length;
  }

  /** Appends a list of texts. */
  public static int texts(Encoder e, byte[] a, int p, int end, List<String> all) {
    if (p > end || all == null || all.isEmpty()) {
      return p;
    }
    List<String> v = Lists.indexed(all);
    int n = v.size();
    int words = words(n);
    if (words > end - p) {
      return NO;
    }
    int s = p;
    p += words;
    for (int i = 0; i < n; i++) {
      i16(a, s + 2 * i, p - s);
      p = text(e, a, p, end, v.get(i));
    }
    i16(a, s + 2 * n, p - s);
    return p;
  }

  /** The bytes of n+1 words, or NO if they are too many. */
  private static int words(int n) {
    return n < Layout.NARROW ? 2 * (n + 1) : NO;
  }

  /** Appends a map of texts. */
  public static int textMap(Encoder e, byte[] a, int p, int end, Slot<Map<String, String>> slot, Map<String, String> m, int depth)
      throws ZmyException {
    if (p > end || m == null || m.isEmpty()) {
      return p;
    }
    int n = m.size();
    if (m instanceof OrderedMap<String, String> || n > Pairs.FEW) {
      return slot(e, a, p, end, slot, m, depth);
    }
    @Nullable String[] k = e.keys;
    @Nullable String[] v = e.values;
    try {
      return sort(m, k, v, n) ? pairs(e, a, p, end, k, v, n) : NO;
    } finally { // the map may throw
      for (int i = 0; i < n; i++) {
        k[i] = null;
        v[i] = null;
      }
    }
  }

  /**
   * Puts n pairs into the order of their keys, and reports whether there are as many, all of them
   * different.
   */
  @SuppressWarnings("NullAway") // those before have been set
  private static boolean sort(Map<String, String> m, @Nullable String[] k, @Nullable String[] v, int n) {
    int have = 0;
    for (Map.Entry<String, String> x : m.entrySet()) {
      String key = x.getKey();
      if (key == null || have == n) {
        return false;
      }
      int i = have++;
      for (; i > 0; i--) {
        int c = Utf8.compare(key, k[i - 1]);
        if (c > 0) {
          break;
        }
        if (c == 0) {
          return false;
        }
        k[i] = k[i - 1];
        v[i] = v[i - 1];
      }
      k[i] = key;
      v[i] = x.getValue();
    }
    return have == n;
  }

  private static int pairs(Encoder e, byte[] a, int p, int end, @Nullable String[] k, @Nullable String[] v, int n) {
    if (2 > end - p) {
      return NO;
    }
    int s = p;
    p = column(e, a, p + 2, end, k, n);
    if (p > end) {
      return NO;
    }
    i16(a, s, p - s);
    return column(e, a, p, end, v, n);
  }

  private static int column(Encoder e, byte[] a, int p, int end, @Nullable String[] all, int n) {
    int words = words(n);
    if (words > end - p) {
      return NO;
    }
    int s = p;
    int w = p;
    p += words;
    for (int i = 0; i < n; i++) {
      i16(a, w, p - s);
      w += 2;
      p = text(e, a, p, end, all[i]);
    }
    i16(a, w, p - s);
    return p;
  }

  /** Appends a list of structs that are not sparse. */
  public static <T> int structs(Encoder e, byte[] a, int p, int end, StructCodec<T> type, List<T> all, int depth)
      throws ZmyException {
    if (p > end || all == null || all.isEmpty()) {
      return p;
    }
    List<T> v = Lists.indexed(all);
    int n = v.size();
    boolean tails = type.layout().tails > 0;
    int front = 4 + (tails ? words(n) : 0);
    if (front < 0 || front > end - p) {
      return NO;
    }
    int s = p;
    int w = p + 4;
    i32(a, s, type.layout().head);
    p += front;
    for (int i = 0; i < n; i++) {
      T x = v.get(i);
      if (x == null) {
        return NO;
      }
      if (tails) {
        i16(a, w + 2 * i, p - s);
      }
      p = type.writeFast(e, a, p, end, x, 0, depth + 1);
      if (p > end) {
        return NO;
      }
    }
    if (tails) {
      i16(a, w + 2 * n, p - s);
    }
    return p;
  }

  /** Appends a struct that is not sparse. */
  public static <T> int struct(Encoder e, byte[] a, int p, int end, StructCodec<T> type, T v, int depth) throws ZmyException {
    if (v == null || p > end) {
      return p;
    }
    int q = type.writeFast(e, a, p, end, v, 4, depth + 1);
    if (q > end) {
      return NO;
    }
    return Zeros.isZeroStruct(a, null, p, q, type.layout().head, 4) ? p : q;
  }

  /** Appends a value of any other type. */
  public static <T extends @Nullable Object> int slot(Encoder e, byte[] a, int p, int end, Slot<T> type, T v, int depth)
      throws ZmyException {
    if (p > end || !Latin1.SEEN && !e.low.asciiSoFar()) {
      return NO;
    }
    e.pos = p;
    type.write(e, v, depth);
    return e.a == a && e.pos <= end ? e.pos : NO;
  }
}
