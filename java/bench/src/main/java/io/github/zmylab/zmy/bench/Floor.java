package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.Times;
import io.github.zmylab.zmy.bench.orderlite.Item;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The floor: ZMY's layout without what ZMY promises. Each subject has one method by hand. Texts are
 * copied as Latin-1 and never looked at, pairs of maps are written in the order in which they come,
 * and reading checks nothing. If all text is ASCII and maps are sorted, the bytes are those of ZMY.
 */
final class Floor {
  private Floor() {}

  private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private static void i16(byte[] b, int at, int v) {
    SHORT.set(b, at, (short) v);
  }

  private static int u16(byte[] b, int at) {
    return (short) SHORT.get(b, at) & 0xffff;
  }

  private static void time(byte[] b, int at, Instant v) {
    LONG.set(b, at, v.getEpochSecond() + Times.UNIX);
    INT.set(b, at + 8, v.getNano());
  }

  private static Instant time(byte[] b, int at) {
    return Instant.ofEpochSecond((long) LONG.get(b, at) - Times.UNIX, (int) INT.get(b, at + 8));
  }

  /** Copies the low byte of each character, and returns the position behind them. */
  @SuppressWarnings("deprecation") // the only copy out of a string that looks at no character
  private static int text(byte[] b, int at, String s) {
    int n = s.length();
    s.getBytes(0, n, b, at);
    return at + n;
  }

  @SuppressWarnings("deprecation") // the only copy into a string that looks at no character
  private static String text(byte[] b, int from, int to) {
    return new String(b, 0, from, to - from);
  }

  private static int pairs(byte[] b, int at, Map<String, String> m) {
    int n = m.size();
    if (n == 0) {
      return at;
    }
    int keys = at + 2;
    int p = keys + 2 * (n + 1);
    int w = keys;
    for (String k : m.keySet()) {
      i16(b, w, p - keys);
      w += 2;
      p = text(b, p, k);
    }
    i16(b, w, p - keys);
    int values = p;
    i16(b, at, values - at);
    p += 2 * (n + 1);
    w = values;
    for (String v : m.values()) {
      i16(b, w, p - values);
      w += 2;
      p = text(b, p, v);
    }
    i16(b, w, p - values);
    return p;
  }

  private static Map<String, String> pairs(byte[] b, int from, int to) {
    if (from == to) {
      return Map.of();
    }
    String[] keys = texts(b, from + 2);
    return new Pairs(keys, texts(b, from + u16(b, from)));
  }

  private static String[] texts(byte[] b, int at) {
    String[] out = new String[u16(b, at) / 2 - 1];
    for (int i = 0; i < out.length; i++) {
      out[i] = text(b, at + u16(b, at + 2 * i), at + u16(b, at + 2 * i + 2));
    }
    return out;
  }

  /** A map that is no more than its two columns. */
  private static final class Pairs extends AbstractMap<String, String> {
    private final String[] keys;
    private final String[] values;

    Pairs(String[] keys, String[] values) {
      this.keys = keys;
      this.values = values;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
      Map<String, String> m = new LinkedHashMap<>();
      for (int i = 0; i < keys.length; i++) {
        m.put(keys[i], values[i]);
      }
      return m.entrySet();
    }
  }

  private static String latin(String s) {
    return s.replaceAll("[^\\x00-\\xff]", "?");
  }

  private static Map<String, String> latin(Map<String, String> m, boolean sorted) {
    Map<String, String> out = sorted ? new TreeMap<>() : new HashMap<>();
    m.forEach((k, v) -> out.put(latin(k), latin(v)));
    return out;
  }

  static final class Orders implements ByBytes.Raw<Order> {
    @Override
    public Order plain(Order v, boolean sorted) {
      List<Item> items = new ArrayList<>();
      v.items().forEach(i -> items.add(i.toBuilder().sku(latin(i.sku())).build()));
      return v.toBuilder().id(latin(v.id())).items(items).metadata(latin(v.metadata(), sorted)).build();
    }

    @Override
    public int write(byte[] b, Order v) {
      INT.set(b, 0, 0xc00c);
      time(b, 4, v.timestamp());
      int p = text(b, 22, v.id());
      i16(b, 16, p);
      p = items(b, p, v.items());
      i16(b, 18, p);
      p = pairs(b, p, v.metadata());
      i16(b, 20, p);
      return p;
    }

    private static int items(byte[] b, int at, List<Item> items) {
      int n = items.size();
      if (n == 0) {
        return at;
      }
      INT.set(b, at, 0x800c);
      int w = at + 4;
      int p = w + 2 * (n + 1);
      for (int i = 0; i < n; i++) {
        Item v = items.get(i);
        i16(b, w, p - at);
        w += 2;
        int s = p;
        DOUBLE.set(b, s, v.price());
        INT.set(b, s + 8, v.qty());
        p = text(b, s + 16, v.sku());
        i16(b, s + 12, p - s);
        byte[] attrs = v.attrs();
        System.arraycopy(attrs, 0, b, p, attrs.length);
        p += attrs.length;
        i16(b, s + 14, p - s);
      }
      i16(b, w, p - at);
      return p;
    }

    @Override
    public Order read(byte[] b) {
      int e0 = u16(b, 16);
      int e1 = u16(b, 18);
      List<Item> items = List.of();
      if (e1 > e0) {
        int n = (u16(b, e0 + 4) - 4) / 2 - 1;
        items = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
          int s = e0 + u16(b, e0 + 4 + 2 * i);
          int t0 = s + u16(b, s + 12);
          byte[] attrs = new byte[s + u16(b, s + 14) - t0];
          System.arraycopy(b, t0, attrs, 0, attrs.length);
          items.add(new Item(text(b, s + 16, t0), (double) DOUBLE.get(b, s), (int) INT.get(b, s + 8), attrs));
        }
      }
      return new Order(text(b, 22, e0), items, pairs(b, e1, u16(b, 20)), time(b, 4));
    }
  }

  static final class Events implements ByBytes.Raw<SSEEvent> {
    @Override
    public SSEEvent plain(SSEEvent v, boolean sorted) {
      return v.toBuilder().id(latin(v.id())).event(latin(v.event())).data(latin(v.data())).meta(latin(v.meta(), sorted)).build();
    }

    @Override
    public int write(byte[] b, SSEEvent v) {
      INT.set(b, 0, 0x10001);
      b[4] = (byte) (v.replay() ? 1 : 0);
      int p = text(b, 13, v.id());
      i16(b, 5, p);
      p = text(b, p, v.event());
      i16(b, 7, p);
      p = text(b, p, v.data());
      i16(b, 9, p);
      p = pairs(b, p, v.meta());
      i16(b, 11, p);
      return p;
    }

    @Override
    public SSEEvent read(byte[] b) {
      int e0 = u16(b, 5);
      int e1 = u16(b, 7);
      int e2 = u16(b, 9);
      return new SSEEvent(text(b, 13, e0), text(b, e0, e1), text(b, e1, e2), b[4] != 0, pairs(b, e2, u16(b, 11)));
    }
  }

  static final class Results implements ByBytes.Raw<Result> {
    @Override
    public Result plain(Result v, boolean sorted) {
      return v;
    }

    @Override
    public int write(byte[] b, Result v) {
      INT.set(b, 0, 0x4010);
      LONG.set(b, 4, v.id());
      LONG.set(b, 12, v.timestamp());
      int n = 8 * v.data().length;
      ByteBuffer.wrap(b, 22, n).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().put(v.data());
      i16(b, 20, 22 + n);
      return 22 + n;
    }

    @Override
    public Result read(byte[] b) {
      double[] data = new double[(b.length - 22) / 8];
      ByteBuffer.wrap(b, 22, b.length - 22).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(data);
      return new Result((long) LONG.get(b, 4), data, (long) LONG.get(b, 12));
    }
  }

  static final class People implements ByBytes.Raw<Person> {
    @Override
    public Person plain(Person v, boolean sorted) {
      return v.toBuilder().name(latin(v.name())).phone(latin(v.phone())).build();
    }

    @Override
    public int write(byte[] b, Person v) {
      INT.set(b, 0, 0x801d);
      time(b, 4, v.birthDay());
      LONG.set(b, 16, v.siblings());
      b[24] = (byte) (v.spouse() ? 1 : 0);
      DOUBLE.set(b, 25, v.money());
      int p = text(b, 37, v.name());
      i16(b, 33, p);
      p = text(b, p, v.phone());
      i16(b, 35, p);
      return p;
    }

    @Override
    public Person read(byte[] b) {
      int e0 = u16(b, 33);
      return new Person(
          text(b, 37, e0), time(b, 4), text(b, e0, u16(b, 35)), (long) LONG.get(b, 16), b[24] != 0, (double) DOUBLE.get(b, 25));
    }
  }
}
