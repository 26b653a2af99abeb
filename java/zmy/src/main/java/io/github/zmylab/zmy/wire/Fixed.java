package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A type whose values take a fixed number of bytes. They are scalars, or side by side in a list.
 */
public abstract class Fixed<T> {
  private final int size;

  /** A type of size bytes. */
  protected Fixed(int size) {
    this.size = size;
  }

  /** The size of a value in bytes. */
  public final int size() {
    return size;
  }

  /**
   * Bytes of memory that a value takes. This is for inline structs, which have objects of their
   * own: at most one array for each byte.
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

  /**
   * The order of keys of this type, which is that of their bytes on the wire; null if the type has
   * no keys.
   */
  @Nullable Comparator<T> order() {
    return null;
  }

  /** The step of a key in a path. */
  String step(T key) {
    return "[" + key + "]";
  }

  static ZmyException domain(Encoder e, Object v) {
    return e.fail(ErrorCode.DOMAIN, String.valueOf(v));
  }
}
