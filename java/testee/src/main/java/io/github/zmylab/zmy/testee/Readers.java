package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.vectors.Cast;
import io.github.zmylab.zmy.vectors.Dynamic;
import io.github.zmylab.zmy.vectors.Empty;
import io.github.zmylab.zmy.vectors.Keep1;
import io.github.zmylab.zmy.vectors.Keep2;
import io.github.zmylab.zmy.vectors.Lists;
import io.github.zmylab.zmy.vectors.Maps;
import io.github.zmylab.zmy.vectors.Numbers;
import io.github.zmylab.zmy.vectors.Optional;
import io.github.zmylab.zmy.vectors.Order;
import io.github.zmylab.zmy.vectors.Raw;
import io.github.zmylab.zmy.vectors.Retired;
import io.github.zmylab.zmy.vectors.RetiredKeep;
import io.github.zmylab.zmy.vectors.Scalars;
import io.github.zmylab.zmy.vectors.Sparse1;
import io.github.zmylab.zmy.vectors.Sparse2;
import io.github.zmylab.zmy.vectors.SparseDrop;
import io.github.zmylab.zmy.vectors.Tables;
import io.github.zmylab.zmy.vectors.Tree;
import io.github.zmylab.zmy.vectors.V1;
import io.github.zmylab.zmy.vectors.V2;
import io.github.zmylab.zmy.vectors.V3;
import io.github.zmylab.zmy.vectors.Wide;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The types that vectors are read as, by name. */
final class Readers {
  private Readers() {}

  static final Map<String, Codec<?>> ALL = new HashMap<>();

  static {
    for (Codec<?> c :
        List.of(
            Scalars.CODEC,
            Lists.CODEC,
            Maps.CODEC,
            Optional.CODEC,
            Numbers.CODEC,
            Raw.CODEC,
            Dynamic.CODEC,
            Tree.CODEC,
            Cast.CODEC,
            V1.CODEC,
            V2.CODEC,
            V3.CODEC,
            Keep1.CODEC,
            Keep2.CODEC,
            Sparse1.CODEC,
            Sparse2.CODEC,
            SparseDrop.CODEC,
            Retired.CODEC,
            RetiredKeep.CODEC,
            Wide.CODEC,
            Empty.CODEC,
            Order.CODEC,
            Tables.CODEC)) {
      ALL.put(c.name(), c);
    }
  }
}
