package io.github.zmylab.zmy.wire;

/** Compares the version of generated code with the versions that the library knows. */
public final class Generated {
  /** The oldest generated code that works with this library, and the newest. */
  static final int OLDEST = 1;

  static final int NEWEST = 1;

  private Generated() {}

  /**
   * Called when generated classes are initialized.
   *
   * @param version the version of generated code that the generator wrote
   * @param holder the class that holds the codecs of the output
   * @throws LinkageError if the library does not know the version; its message says what to run
   */
  public static void check(int version, Class<?> holder) {
    if (version > NEWEST) {
      throw new LinkageError(
          named(version, holder) + ": raise the version of io.github.zmylab:zmy to that of the command zmy");
    }
    if (version < OLDEST) {
      throw new LinkageError(
          named(version, holder) + ": generate the package again, by the command at the head of its files: zmy gen -lang=java");
    }
  }

  private static String named(int version, Class<?> holder) {
    return holder.getName() + " was generated for version " + version + " of generated code, the library knows "
        + (OLDEST == NEWEST ? "" + NEWEST : OLDEST + " to " + NEWEST);
  }
}
