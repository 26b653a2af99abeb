package io.github.zmylab.zmy.wire;

/** Where the fields of an opened struct are. */
public abstract class Sections {
  Sections() {}

  /** Where field i starts; -1 for a scalar that is not there. */
  public abstract int from(int i);

  /** Where field i ends: where it starts, if it is a tail that is not there. */
  public abstract int to(int i);

  /** Those of a dense struct, whose codec is too large for variables. */
  static final class Dense extends Sections {
    private final Layout.Field[] fields;
    private final int at; // where the scalars start
    private final int scalars; // bytes of them
    private final int[] bounds; // of the tails

    /** Takes over what {@link Decoder#open} has found. */
    Dense(Decoder d, Layout t, int at) {
      fields = t.fields;
      this.at = at;
      scalars = d.scalars();
      bounds = new int[t.tails + 1];
      bounds[0] = d.first();
      for (int i = 0; i < t.tails; i++) {
        bounds[i + 1] = d.tail(i);
      }
    }

    @Override
    public int from(int i) {
      Layout.Field f = fields[i];
      if (f.tail() >= 0) {
        return bounds[f.tail()];
      }
      return f.offset() + f.size() > scalars ? -1 : at + f.offset();
    }

    @Override
    public int to(int i) {
      Layout.Field f = fields[i];
      return f.tail() >= 0 ? bounds[f.tail() + 1] : at + f.offset() + f.size();
    }
  }
}
