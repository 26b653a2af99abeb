package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A type whose values take a fixed number of bytes: among the scalars, or side by side in a list. */
public abstract class Fixed<T> {
  private final int size;

  /** A type of size bytes. */
  protected Fixed(int size) {
    this.size = size;
  }

  /** Bytes of a value. */
  public final int size() {
    return size;
  }

  /**
   * Bytes of memory that a value takes. A struct that stands inline has objects of its own; the most it
   * can have are arrays of one byte each.
   */
  int heap() {
    return Slot.REFERENCE + Slot.OBJECT + (Slot.REFERENCE + Slot.OBJECT + 8) * size;
  }

  /** The zero value. */
  public abstract T zero();

  /**
   * The value at a place.
   *
   * @throws ZmyException DOMAIN
   */
  public abstract T get(Decoder d, int at) throws ZmyException;

  /**
   * Sets the value at a place.
   *
   * @throws ZmyException DOMAIN
   */
  public abstract void put(Encoder e, int at, T v) throws ZmyException;

  /**
   * Checks the value at a place.
   *
   * @throws ZmyException DOMAIN
   */
  public void verify(Decoder d, int at) throws ZmyException {}

  /** The order of keys of this type, as their bytes on the wire have it; null if it is no key. */
  @Nullable Comparator<T> order() {
    return null;
  }

  /** A key in a path. */
  String step(T key) {
    return "[" + key + "]";
  }

  static ZmyException domain(Encoder e, Object v) {
    return e.fail(ErrorCode.DOMAIN, String.valueOf(v));
  }
}
