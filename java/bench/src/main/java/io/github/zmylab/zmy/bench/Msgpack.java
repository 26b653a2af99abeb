package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.bench.orderlite.Item;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageUnpacker;

/** The subjects in MessagePack: structs are arrays of their fields. */
final class Msgpack {
  private Msgpack() {}

  private static void texts(MessageBufferPacker p, Map<String, String> m) throws IOException {
    p.packMapHeader(m.size());
    for (var e : m.entrySet()) {
      p.packString(e.getKey()).packString(e.getValue());
    }
  }

  private static Map<String, String> texts(MessageUnpacker u) throws IOException {
    int n = u.unpackMapHeader();
    Map<String, String> m = new HashMap<>(2 * n);
    for (int i = 0; i < n; i++) {
      m.put(u.unpackString(), u.unpackString());
    }
    return m;
  }

  static final class Orders implements ByBytes.Pack<Order> {
    @Override
    public void write(MessageBufferPacker p, Order o) throws IOException {
      p.packArrayHeader(4).packString(o.id()).packArrayHeader(o.items().size());
      for (Item i : o.items()) {
        p.packArrayHeader(4).packString(i.sku()).packDouble(i.price()).packInt(i.qty());
        p.packBinaryHeader(i.attrs().length).writePayload(i.attrs());
      }
      texts(p, o.metadata());
      p.packTimestamp(o.timestamp());
    }

    @Override
    public Order read(MessageUnpacker u) throws IOException {
      u.unpackArrayHeader();
      String id = u.unpackString();
      int n = u.unpackArrayHeader();
      List<Item> items = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        u.unpackArrayHeader();
        items.add(new Item(u.unpackString(), u.unpackDouble(), u.unpackInt(), u.readPayload(u.unpackBinaryHeader())));
      }
      return new Order(id, items, texts(u), u.unpackTimestamp());
    }
  }

  static final class Events implements ByBytes.Pack<SSEEvent> {
    @Override
    public void write(MessageBufferPacker p, SSEEvent e) throws IOException {
      p.packArrayHeader(5).packString(e.id()).packString(e.event()).packString(e.data()).packBoolean(e.replay());
      texts(p, e.meta());
    }

    @Override
    public SSEEvent read(MessageUnpacker u) throws IOException {
      u.unpackArrayHeader();
      return new SSEEvent(u.unpackString(), u.unpackString(), u.unpackString(), u.unpackBoolean(), texts(u));
    }
  }

  static final class Results implements ByBytes.Pack<Result> {
    @Override
    public void write(MessageBufferPacker p, Result r) throws IOException {
      p.packArrayHeader(3).packLong(r.id()).packArrayHeader(r.data().length);
      for (double x : r.data()) {
        p.packDouble(x);
      }
      p.packLong(r.timestamp());
    }

    @Override
    public Result read(MessageUnpacker u) throws IOException {
      u.unpackArrayHeader();
      long id = u.unpackLong();
      double[] data = new double[u.unpackArrayHeader()];
      for (int i = 0; i < data.length; i++) {
        data[i] = u.unpackDouble();
      }
      return new Result(id, data, u.unpackLong());
    }
  }

  static final class People implements ByBytes.Pack<Person> {
    @Override
    public void write(MessageBufferPacker p, Person v) throws IOException {
      p.packArrayHeader(6).packString(v.name()).packTimestamp(v.birthDay()).packString(v.phone()).packLong(v.siblings());
      p.packBoolean(v.spouse()).packDouble(v.money());
    }

    @Override
    public Person read(MessageUnpacker u) throws IOException {
      u.unpackArrayHeader();
      return new Person(u.unpackString(), u.unpackTimestamp(), u.unpackString(), u.unpackLong(), u.unpackBoolean(), u.unpackDouble());
    }
  }
}
