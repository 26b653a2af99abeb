/**
 * The ZMY native format: generated records and views read and write the same bytes as Go.
 *
 * <p>Programs use {@code io.github.zmylab.zmy}; {@code io.github.zmylab.zmy.wire} is what generated
 * code calls.
 */
module io.github.zmylab.zmy {
  requires static transitive org.jspecify; // generated code has its annotations too

  exports io.github.zmylab.zmy;
  exports io.github.zmylab.zmy.wire;
}
