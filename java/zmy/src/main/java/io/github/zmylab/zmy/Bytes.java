package io.github.zmylab.zmy;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bytes that are compared by their content: keys of maps. */
public final class Bytes implements Comparable<Bytes> {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes of an array. */
  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /** The bytes, which must not be changed. */
  public byte[] array() {
    return bytes;
  }

  /** The number of bytes. */
  public int length() {
    return bytes.length;
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes b && Arrays.equals(bytes, b.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
