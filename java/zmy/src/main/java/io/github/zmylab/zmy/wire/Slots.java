package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.BigFloat;
import io.github.zmylab.zmy.Bytes;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The slots of types. */
public final class Slots {
  private Slots() {}

  /** Text. */
  public static final Slot<String> STRING = new Texts();

  /** Bytes, raw JSON, and values of Go types that marshal themselves. */
  public static final Slot<byte[]> BYTES = new Binary();

  /** A value of any kind. */
  public static final Slot<Any> ANY = new AnySlot();

  /** A big integer, 0 if empty. */
  public static final Slot<BigInteger> BIG_INT = new BigInts<BigInteger>(BigInteger.ZERO);

  /** A big integer, or null. */
  public static final Slot<@Nullable BigInteger> BIG_INT_OR_NULL = new BigInts<@Nullable BigInteger>(null);

  /** A big float, 0 if empty. */
  public static final Slot<BigFloat> BIG_FLOAT = new BigFloats<BigFloat>(BigFloat.ZERO);

  /** A big float, or null. */
  public static final Slot<@Nullable BigFloat> BIG_FLOAT_OR_NULL = new BigFloats<@Nullable BigFloat>(null);

  /** A list of primitive numbers. */
  public static <A> Slot<A> packed(Packed<A> type) {
    return type.list();
  }

  /** A list of values of a fixed size. */
  public static <T> Slot<List<T>> packed(Fixed<T> type) {
    return new Lists<>(column(type));
  }

  /** A list of other values. Structs that are not sparse share a header. */
  public static <T extends @Nullable Object> Slot<List<T>> list(Slot<T> elem) {
    return new Lists<>(elem);
  }

  /** An array of n values of variable size. */
  public static <T extends @Nullable Object> Slot<List<T>> array(Slot<T> elem, int n) {
    return new ArraySlot<>(elem, n);
  }

  /** An array of n primitive numbers, among the scalars. */
  public static <A> Fixed<A> fixed(Packed<A> type, int n) {
    return type.array(n);
  }

  /** An array of n values of a fixed size, among the scalars. */
  public static <T> Fixed<List<T>> fixed(Fixed<T> type, int n) {
    return new FixedList<>(type, n);
  }

  /** A key of n bytes, which is compared by its content. */
  public static Fixed<Bytes> key(int n) {
    return new ByteKeys(n);
  }

  /** An array that is too long for the scalars. */
  public static <A> Slot<A> tail(Fixed<A> array) {
    return new FixedTail<>(array);
  }

  /** A map whose keys are texts. */
  public static <V extends @Nullable Object> Slot<Map<String, V>> map(Slot<String> key, Slot<V> value) {
    return new Maps<>(new MapKeys.OfText(), value);
  }

  /** A map with keys of a fixed size. */
  public static <K, V extends @Nullable Object> Slot<Map<K, V>> map(Fixed<K> key, Slot<V> value) {
    return new Maps<>(new MapKeys.OfFixed<>(key), value);
  }

  /** A set of texts. */
  public static Slot<Set<String>> set(Slot<String> key) {
    return new Sets<>(new Maps<>(new MapKeys.OfText(), null));
  }

  /** A set of values of a fixed size. */
  public static <K> Slot<Set<K>> set(Fixed<K> key) {
    return new Sets<>(new Maps<>(new MapKeys.OfFixed<>(key), null));
  }

  /** A column of values of a fixed size: elements of a list, or values of a map. */
  public static <T> Slot<T> column(Fixed<T> type) {
    return new FixedColumn<>(type);
  }

  /** A struct, or null. */
  public static <T> Slot<@Nullable T> orNull(StructCodec<T> type) {
    return new Pointers.ToStruct<>(type);
  }

  /** A value of a fixed size, or null. */
  public static <T> Slot<@Nullable T> orNull(Fixed<T> type) {
    return new Pointers.ToFixed<>(type);
  }

  /** A string or a long array, or null. */
  public static <T> Slot<@Nullable T> orNull(Slot<T> type) {
    return new Pointers.ToSlot<>(type, true);
  }

  /** A list, a map or bytes whose null differs from an empty one. */
  public static <T> Slot<@Nullable T> nilable(Slot<T> type) {
    return new Pointers.ToSlot<>(type, false);
  }

  /** A list of the elements of an array. The caller gives up the array. */
  @SuppressWarnings("unchecked")
  static <T extends @Nullable Object> List<T> list(@Nullable Object[] all) {
    return (List<T>) Arrays.asList(all);
  }

  /** The number of bytes of n elements. */
  static int bytes(int n, int size) throws ZmyException {
    long bytes = (long) n * size;
    if (bytes > Integer.MAX_VALUE) {
      throw new ZmyException(ErrorCode.TOO_LARGE, -1, bytes + " bytes in a list");
    }
    return (int) bytes;
  }

  /** Refuses an array whose number of elements is not that of its type. */
  static void count(Encoder e, int have, int want) throws ZmyException {
    if (have != want) {
      throw e.fail(ErrorCode.COUNT, have + " elements in an array of " + want);
    }
  }
}
