package io.github.zmylab.zmy.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a newer version of a struct that its type does not know, byte for byte: scalars and
 * tails behind those of the type, and fields that the type only reserves. Records of types that
 * keep unknown parts have a component of this class. It is immutable.
 */
public final class Unknown {
  /** No unknown parts. */
  public static final Unknown NONE = new Unknown(new byte[0], new byte[0], new int[0], null, new int[0], new byte[0][]);

  /** Bytes of memory that one takes, with the headers of its arrays. */
  static final int HEAP = 40 + 6 * 24;

  /** Bytes of memory that the content of a reserved field takes beside its own bytes. */
  static final int KEPT_HEAP = 60;

  final byte[] scalars;
  final byte[] tails; // joined
  final int[] ends; // of each tail, in tails
  final byte @Nullable [] bits; // of a sparse struct: its bitmap without the known fields; else null
  private final int[] keptFields; // reserved fields that are not zero
  private final byte[][] kept;

  private Unknown(byte[] scalars, byte[] tails, int[] ends, byte @Nullable [] bits, int[] keptFields, byte[][] kept) {
    this.scalars = scalars;
    this.tails = tails;
    this.ends = ends;
    this.bits = bits;
    this.keptFields = keptFields;
    this.kept = kept;
  }

  /** Copies parts of a message. bounds are those of the tails. */
  static Unknown of(Decoder d, int from, int to, int[] bounds, byte @Nullable [] bits) {
    int[] ends = new int[bounds.length - 1];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = bounds[i + 1] - bounds[0];
    }
    return new Unknown(
        d.copy(from, to), d.copy(bounds[0], bounds[ends.length]), ends, bits, NONE.keptFields, NONE.kept);
  }

  /** Reports whether nothing is carried. */
  public boolean isEmpty() {
    return scalars.length == 0 && ends.length == 0 && bits == null && kept.length == 0;
  }

  /** Reports whether only zero bytes and empty tails are carried, as by some elements of a list. */
  public boolean isZero() {
    for (byte b : scalars) {
      if (b != 0) {
        return false;
      }
    }
    return tails.length == 0 && kept.length == 0;
  }

  /** The header of a dense struct that carries these parts. mine is the header of its type. */
  public int head(int mine) {
    return bits == null ? mine + Layout.header(scalars.length, ends.length) : mine;
  }

  /** The bytes of reserved field i; null if they are empty. */
  public byte @Nullable [] kept(int i) {
    for (int j = 0; j < keptFields.length; j++) {
      if (keptFields[j] == i) {
        return kept[j];
      }
    }
    return null;
  }

  /** These parts with the bytes of reserved field i. */
  @SuppressWarnings("NullAway") // the null that copyOf leaves is set
  Unknown withKept(int i, byte[] b) {
    int n = kept.length;
    int[] fields = Arrays.copyOf(keptFields, n + 1);
    byte[][] all = Arrays.copyOf(kept, n + 1);
    fields[n] = i;
    all[n] = b;
    return new Unknown(scalars, tails, ends, bits, fields, all);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Unknown u
        && Arrays.equals(scalars, u.scalars)
        && Arrays.equals(tails, u.tails)
        && Arrays.equals(ends, u.ends)
        && Arrays.equals(bits, u.bits)
        && Arrays.equals(keptFields, u.keptFields)
        && Arrays.deepEquals(kept, u.kept);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(scalars) * 31 + Arrays.hashCode(tails);
  }

  @Override
  public String toString() {
    return isEmpty() ? "" : "unknown[" + scalars.length + " bytes of scalars, " + ends.length + " tails]";
  }
}
