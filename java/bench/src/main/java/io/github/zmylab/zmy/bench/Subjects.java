package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.bench.orderlite.Item;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.result.Result;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values that Go has written, in the forms of each library. */
final class Subjects {
  private Subjects() {}

  private static <T> List<T> read(String name, Codec<T> codec) {
    Path file = Path.of(System.getProperty("values", "java/bench/target"), name);
    List<T> out = new ArrayList<>();
    try (StreamReader r = new StreamReader(new BufferedInputStream(Files.newInputStream(file)))) {
      for (T v = r.next(codec); v != null; v = r.next(codec)) {
        out.add(v);
      }
    } catch (IOException | ZmyException e) {
      throw new IllegalStateException("make the values: go run ./spec/benchvalues java/bench/target", e);
    }
    return out;
  }

  /** Orders as a program has them: with maps of its own, not those of a decoder. */
  static List<Order> orders() {
    return read("orders.zmys", Order.CODEC).stream()
        .map(o -> o.toBuilder().metadata(new HashMap<>(o.metadata())).items(new ArrayList<>(o.items())).build())
        .toList();
  }

  static List<Result> results() {
    return read("results.zmys", Result.CODEC);
  }

  /** An order as libraries want it that set fields: no constructor, public fields. */
  public static final class Pojo {
    public String id;
    public List<PojoItem> items = new ArrayList<>();
    public Map<String, String> metadata = new LinkedHashMap<>();
    public long seconds;
    public int nanos;
  }

  /** A line of it. */
  public static final class PojoItem {
    public String sku;
    public double price;
    public int qty;
    public byte[] attrs;
  }

  static Pojo pojo(Order o) {
    Pojo p = new Pojo();
    p.id = o.id();
    p.metadata.putAll(o.metadata());
    p.seconds = o.timestamp().getEpochSecond();
    p.nanos = o.timestamp().getNano();
    for (Item i : o.items()) {
      PojoItem x = new PojoItem();
      x.sku = i.sku();
      x.price = i.price();
      x.qty = i.qty();
      x.attrs = i.attrs();
      p.items.add(x);
    }
    return p;
  }

  /** A result likewise. */
  public static final class PojoResult {
    public long id;
    public double[] data;
    public long timestamp;
  }

  static PojoResult pojo(Result r) {
    PojoResult p = new PojoResult();
    p.id = r.id();
    p.data = r.data();
    p.timestamp = r.timestamp();
    return p;
  }
}
