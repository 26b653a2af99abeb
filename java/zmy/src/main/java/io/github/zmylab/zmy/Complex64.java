package io.github.zmylab.zmy;

/** A complex number of two floats. */
public record Complex64(float re, float im) {
  /** 0. */
  public static final Complex64 ZERO = new Complex64(0, 0);
}
