package io.github.zmylab.zmy.wire;

/** The places of the fields of an opened struct. */
public abstract class Sections {
  Sections() {}

  /** The place where field i starts; -1 for a scalar that is not there. */
  public abstract int from(int i);

  /** The place where field i ends; for a tail that is not there, the place where it starts. */
  public abstract int to(int i);

  /** The places in a dense struct. Codecs of few fields have them in variables. */
  static final class Dense extends Sections {
    private final Layout.Field[] fields;
    private final int at; // where the scalars start
    private final int scalars; // bytes of them
    private final int[] bounds; // of the tails

    /** Copies the results of {@link Decoder#open}. */
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
