package io.github.zmylab.zmy;

import io.github.zmylab.zmy.wire.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value of any kind. Each kind has a record of its own, so that a value that was read is written
 * in the same kind. {@link #of} chooses the kind of a plain Java value.
 *
 * <p>Arrays and lists are held, not copied. A null is {@link #NULL}: the records of other kinds
 * refuse it.
 */
public sealed interface Any {
  /** Null. */
  Any NULL = new Null();

  /** No value. */
  record Null() implements Any {}

  /** A boolean. */
  record Bool(boolean value) implements Any {}

  /** A signed integer. The smallest kind that holds it is written. */
  record Int(long value) implements Any {}

  /** An integer above {@link Long#MAX_VALUE}: the bits of an unsigned long, which is negative. */
  record Uint(long value) implements Any {}

  /** A float of 32 bits. */
  record Float32(float value) implements Any {}

  /** A float of 64 bits. */
  record Float64(double value) implements Any {}

  /** A complex number of two floats. */
  record Complex32(Complex64 value) implements Any {
    /** Refuses null. */
    public Complex32 {
      Objects.requireNonNull(value);
    }
  }

  /** A complex number of two doubles. */
  record Complex(Complex128 value) implements Any {
    /** Refuses null. */
    public Complex {
      Objects.requireNonNull(value);
    }
  }

  /** Text. */
  record Text(String value) implements Any {
    /** Refuses null. */
    public Text {
      Objects.requireNonNull(value);
    }
  }

  /** A number as text, as Go's json.Number. */
  record Number(String value) implements Any {
    /** Refuses null. */
    public Number {
      Objects.requireNonNull(value);
    }
  }

  /** Bytes. */
  record Binary(byte[] value) implements Any {
    /** Refuses null. */
    public Binary {
      Objects.requireNonNull(value);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Binary x && Arrays.equals(value, x.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return Values.text("Binary", "value", value);
    }
  }

  /** JSON text, which is not parsed. */
  record Json(byte[] value) implements Any {
    /** Refuses null. */
    public Json {
      Objects.requireNonNull(value);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Json x && Arrays.equals(value, x.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Json[value=" + new String(value, StandardCharsets.UTF_8) + "]";
    }
  }

  /** A time. */
  record Time(Instant value) implements Any {
    /** Refuses null. */
    public Time {
      Objects.requireNonNull(value);
    }
  }

  /** A duration of nanoseconds that a long holds. */
  record Span(Duration value) implements Any {
    /** Refuses null. */
    public Span {
      Objects.requireNonNull(value);
    }
  }

  /** A decimal; scale within ±10,000, unscaled value of at most 4,096 bytes. */
  record Decimal(BigDecimal value) implements Any {
    /** Refuses null. */
    public Decimal {
      Objects.requireNonNull(value);
    }
  }

  /** A big integer. */
  record BigInt(BigInteger value) implements Any {
    /** Refuses null. */
    public BigInt {
      Objects.requireNonNull(value);
    }
  }

  /** A big binary float. */
  record BigFloating(BigFloat value) implements Any {
    /** Refuses null. */
    public BigFloating {
      Objects.requireNonNull(value);
    }
  }

  /** A list of values of any kind. */
  record Items(List<Any> value) implements Any {
    /** Refuses null. */
    public Items {
      Objects.requireNonNull(value);
    }
  }

  /** A map from text to values of any kind. */
  record Entries(Map<String, Any> value) implements Any {
    /** Refuses null. */
    public Entries {
      Objects.requireNonNull(value);
    }
  }

  /** A list of texts. */
  record Texts(List<String> value) implements Any {
    /** Refuses null. */
    public Texts {
      Objects.requireNonNull(value);
    }
  }

  /** A map from text to text. */
  record TextMap(Map<String, String> value) implements Any {
    /** Refuses null. */
    public TextMap {
      Objects.requireNonNull(value);
    }
  }

  /** A struct whose type is known by its lineage id only. data is its slot. */
  record Struct(long lineage, byte[] data) implements Any {
    /** Refuses null. */
    public Struct {
      Objects.requireNonNull(data);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Struct x && lineage == x.lineage && Arrays.equals(data, x.data);
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(lineage) + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
      return Values.text("Struct", "lineage", lineage, "data", data);
    }
  }

  /** A value of a kind that this version does not know, carried unchanged. */
  record Raw(int kind, byte[] data) implements Any {
    /** Refuses null. */
    public Raw {
      Objects.requireNonNull(data);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Raw x && kind == x.kind && Arrays.equals(data, x.data);
    }

    @Override
    public int hashCode() {
      return 31 * kind + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
      return Values.text("Raw", "kind", kind, "data", data);
    }
  }

  /**
   * A packed list of numbers or booleans. The array is one of boolean, byte (int8), short (int16),
   * int (int32), long (int64), float and double; or one of int with {@link #UINT16}, of long with
   * {@link #UINT32} and, as bits, {@link #UINT64}; or {@code Instant[]}; or of long with {@link
   * #SPANS}, nanoseconds.
   *
   * @param kind the kind on the wire: one of the constants
   * @param array the elements
   */
  record Packed(int kind, Object array) implements Any {
    /** Refuses null. */
    public Packed {
      Objects.requireNonNull(array);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Packed x && kind == x.kind && Arrays.deepEquals(new Object[] {array}, new Object[] {x.array});
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(new Object[] {array});
    }

    @Override
    public String toString() {
      return Values.text("Packed", "kind", kind, "array", array);
    }
  }

  /** Kinds of {@link Packed}. */
  int BOOLS = 32;
  /** byte[]. */
  int INT8 = 33;
  /** short[]. */
  int INT16 = 34;
  /** int[]. */
  int INT32 = 35;
  /** long[]. */
  int INT64 = 36;
  /** int[], each from 0 to 65,535. */
  int UINT16 = 37;
  /** long[], each from 0 to 2³²−1. */
  int UINT32 = 38;
  /** long[], bits. */
  int UINT64 = 39;
  /** float[]. */
  int FLOAT32 = 40;
  /** double[]. */
  int FLOAT64 = 41;
  /** Instant[]. */
  int TIMES = 42;
  /** long[], nanoseconds. */
  int SPANS = 43;

  /**
   * The value of a plain Java object: null, an Any, Boolean, an integer, Float, Double, String,
   * byte[], Instant, Duration, BigDecimal, BigInteger, an array of numbers, or a List or a Map with
   * String keys of such.
   *
   * @throws IllegalArgumentException for an object of another class
   */
  static Any of(@Nullable Object v) {
    return AnyValues.of(v);
  }
}
