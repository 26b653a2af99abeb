package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a struct in the order of their numbers, and their places. */
public final class Layout {
  /** Containers up to this length have words of two bytes, longer ones of four. */
  public static final int NARROW = 65_535;

  static final int MAX_SECTION = (1 << 14) - 1;
  static final int SPARSE_BIT = 1 << 28;

  /**
   * A field.
   *
   * @param name its name in the schema; "" if its number is reserved
   * @param fixed the type of a scalar; null for a tail, and if it is reserved
   * @param slot the type of a tail; null for a scalar, and if it is reserved
   * @param size its size in bytes among the scalars, 0 for a tail
   * @param offset its offset among the scalars
   * @param tail its index among the tails, -1 for a scalar
   */
  record Field(String name, @Nullable Fixed<?> fixed, @Nullable Slot<?> slot, int size, int offset, int tail) {
    boolean reserved() {
      return name.isEmpty();
    }

    /** Bytes of memory that a value takes inside its struct. */
    int heap() {
      return fixed != null ? fixed.heap() : slot != null ? slot.heap() : 0;
    }
  }

  final Field[] fields;
  final boolean sparse;
  final boolean keeps;
  final int scalars;
  final int tails;
  final int head;
  private final int[] older;

  private Layout(Builder b) {
    fields = b.fields.toArray(new Field[0]);
    sparse = b.sparse;
    keeps = b.keeps;
    scalars = b.scalars;
    tails = b.tails;
    head = header(scalars, tails);
    older = b.older.stream().limit(Math.max(0, fields.length - 1)).mapToInt(h -> h).toArray();
  }

  /** A struct without fields. */
  static final Layout EMPTY = builder().build();

  static int wordSize(int length) {
    return length <= NARROW ? 2 : 4;
  }

  /** The header of a struct with this many bytes of scalars and this many tails. */
  public static int header(int scalars, int tails) {
    return scalars | tails << 14;
  }

  /** Reports whether a struct with this header can be read as this type. */
  boolean accepts(int h) {
    if (h == head) {
      return true;
    }
    if ((h & MAX_SECTION) >= scalars && (h >> 14 & MAX_SECTION) >= tails) {
      return true;
    }
    for (int o : older) {
      if (o == h) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks header, sections and ends of a dense struct.
   *
   * @return the fault, or null. The place of TRUNCATED is the end of the struct, of others its
   *     start
   */
  @Nullable ErrorCode check(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int h, int head) {
    int s = h & MAX_SECTION;
    int n = h >> 14 & MAX_SECTION;
    if (h >>> 28 != 0) {
      return ErrorCode.RESERVED;
    }
    int at = head + s;
    if (at + wordSize(to - from) * n > to - from) {
      return ErrorCode.TRUNCATED;
    }
    return accepts(h) ? checkEnds(a, d, from, to, at, n) : ErrorCode.MIXED;
  }

  /**
   * Checks header, bitmap, sections and ends of a sparse struct, but not whether they fit each
   * other.
   */
  @Nullable ErrorCode checkSparse(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int h) {
    if (h >>> 28 != 1) {
      return ErrorCode.RESERVED;
    }
    int s = h & MAX_SECTION;
    int n = h >> 14 & MAX_SECTION;
    int length = to - from;
    int k = length < 5 ? 0 : Le.i8(a, d, from + 4) & 0xff;
    int at = 5 + k + s;
    if (length < 5 || length < at + wordSize(length) * n) {
      return ErrorCode.TRUNCATED;
    }
    if (k > 0 && Le.i8(a, d, from + 4 + k) == 0) {
      return ErrorCode.SPARSE;
    }
    return checkEnds(a, d, from, to, at, n);
  }

  /**
   * Checks n ends, whose words are at offset at of a container: they never fall, and the last is
   * its length.
   */
  private static @Nullable ErrorCode checkEnds(byte @Nullable [] a, @Nullable ByteBuffer d, int from, int to, int at, int n) {
    int length = to - from;
    int es = wordSize(length);
    int prev = at + es * n;
    int w = from + at;
    for (int end = from + prev; w < end; w += es) {
      int e = word(a, d, w, es);
      if (e < prev) {
        return ErrorCode.ENDS;
      }
      prev = e;
    }
    if (prev != length) {
      return ErrorCode.ENDS;
    }
    return es == 4 && length - 2 * n <= NARROW ? ErrorCode.WIDTH : null;
  }

  /** A word of es bytes. A word beyond the range of an int is negative, which no end can be. */
  static int word(byte @Nullable [] a, @Nullable ByteBuffer d, int at, int es) {
    return es == 2 ? Le.i16(a, d, at) & 0xffff : Le.i32(a, d, at);
  }

  /** A layout without fields. */
  public static Builder builder() {
    return new Builder();
  }

  /** Adds fields in the order of their numbers. */
  public static final class Builder {
    private final List<Field> fields = new ArrayList<>();
    private final List<Integer> older = new ArrayList<>();
    private boolean sparse;
    private boolean keeps;
    private int scalars;
    private int tails;

    private Builder() {}

    /** A field among the scalars. */
    public Builder fixed(String name, Fixed<?> type) {
      fields.add(new Field(name, type, null, type.size(), scalars, -1));
      scalars += type.size();
      older.add(header(scalars, tails));
      return this;
    }

    /** A field with a tail. */
    public Builder tail(String name, Slot<?> type) {
      fields.add(new Field(name, null, type, 0, 0, tails++));
      older.add(header(scalars, tails));
      return this;
    }

    /** A reserved number: of size bytes of scalars, or of a tail if size is 0. */
    public Builder reserved(int size) {
      fields.add(new Field("", null, null, size, scalars, size > 0 ? -1 : tails));
      scalars += size;
      tails += size > 0 ? 0 : 1;
      older.add(header(scalars, tails));
      return this;
    }

    /** Makes the struct sparse: fields that are zero take no bytes. */
    public Builder sparse() {
      sparse = true;
      return this;
    }

    /** Makes the struct keep unknown parts. */
    public Builder keeps() {
      keeps = true;
      return this;
    }

    /** The layout. */
    public Layout build() {
      return new Layout(this);
    }
  }
}
