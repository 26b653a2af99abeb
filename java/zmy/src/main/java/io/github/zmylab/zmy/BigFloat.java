package io.github.zmylab.zmy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A binary floating-point number of any precision, as Go's big.Float has it. A finite one is
 * 0.mantissa × 2^exponent.
 *
 * @param precision bits of the mantissa, at most 65,536
 * @param form rounding mode in bits 0–2, kind in bits 3–4 (0 zero, 1 finite, 2 infinite), sign in
 *     bit 5
 * @param exponent within ±65,536; 0 unless finite
 * @param mantissa most significant byte first, with its top bit set and without zero bytes behind;
 *     must not be changed
 */
public record BigFloat(int precision, int form, int exponent, byte[] mantissa) {
  /** The zero value. */
  public static final BigFloat ZERO = new BigFloat(0, 0, 0, new byte[0]);

  private static final int FINITE = 1;
  private static final int INFINITE = 2;

  /** Refuses null. */
  public BigFloat {
    Objects.requireNonNull(mantissa, "mantissa");
  }

  private int kind() {
    return form >> 3 & 3;
  }

  /** Reports whether the sign is set, which zero may have too. */
  public boolean isNegative() {
    return (form >> 5 & 1) != 0;
  }

  /** Reports whether the number is an infinity. */
  public boolean isInfinite() {
    return kind() == INFINITE;
  }

  /**
   * The number in decimal, exactly.
   *
   * @throws ArithmeticException for an infinity
   */
  public BigDecimal toBigDecimal() {
    if (isInfinite()) {
      throw new ArithmeticException("infinite");
    }
    if (kind() != FINITE) {
      return BigDecimal.ZERO;
    }
    BigInteger m = new BigInteger(isNegative() ? -1 : 1, mantissa);
    int shift = exponent - 8 * mantissa.length;
    if (shift >= 0) {
      return new BigDecimal(m.shiftLeft(shift));
    }
    return new BigDecimal(m).divide(new BigDecimal(BigInteger.ONE.shiftLeft(-shift)));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BigFloat f
        && precision == f.precision
        && form == f.form
        && exponent == f.exponent
        && Arrays.equals(mantissa, f.mantissa);
  }

  @Override
  public int hashCode() {
    return ((31 * precision + form) * 31 + exponent) * 31 + Arrays.hashCode(mantissa);
  }

  /**
   * The largest exponent, and the most bits of mantissa, of a number in decimal. More would take
   * seconds.
   */
  private static final int MAX_DECIMAL = 4096;

  /**
   * The number in decimal, or, with a large exponent or a long mantissa, exactly as 0x.8p-65536, as
   * Go writes it.
   */
  @Override
  public String toString() {
    if (kind() == FINITE && (Math.abs(exponent) > MAX_DECIMAL || mantissa.length > MAX_DECIMAL / 8)) {
      String digits = java.util.HexFormat.of().formatHex(mantissa).replaceAll("0+$", "");
      return (isNegative() ? "-" : "") + "0x." + digits + "p" + (exponent < 0 ? "" : "+") + exponent;
    }
    return isInfinite() ? (isNegative() ? "-Infinity" : "Infinity") : toBigDecimal().toString();
  }
}
