package io.github.zmylab.zmy;

/** A complex number of two doubles. */
public record Complex128(double re, double im) {
  /** 0. */
  public static final Complex128 ZERO = new Complex128(0, 0);
}
