package io.github.zmylab.zmy.bench;

import com.google.flatbuffers.FlatBufferBuilder;
import io.github.zmylab.zmy.bench.flat.EventT;
import io.github.zmylab.zmy.bench.flat.OrderT;
import io.github.zmylab.zmy.bench.flat.Pair;
import io.github.zmylab.zmy.bench.flat.PairT;
import io.github.zmylab.zmy.bench.flat.PersonT;
import io.github.zmylab.zmy.bench.flat.ResultT;
import io.github.zmylab.zmy.bench.orderlite.Item;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subjects as FlatBuffers' tables. Maps are vectors sorted by key. */
final class Flat {
  private Flat() {}

  private static int[] pairs(FlatBufferBuilder b, Map<String, String> m) {
    int[] out = new int[m.size()];
    int n = 0;
    for (Map.Entry<String, String> e : m.entrySet()) {
      int key = b.createString(e.getKey());
      out[n++] = Pair.createPair(b, key, b.createString(e.getValue()));
    }
    return out;
  }

  private static Map<String, String> map(PairT[] pairs) {
    Map<String, String> m = new HashMap<>();
    for (PairT p : pairs) {
      m.put(p.getKey(), p.getValue());
    }
    return m;
  }

  static final class Orders implements ByBytes.Tables<Order> {
    @Override
    public void write(FlatBufferBuilder b, Order o) {
      int[] items = new int[o.items().size()];
      for (int i = 0; i < items.length; i++) {
        Item x = o.items().get(i);
        int sku = b.createString(x.sku());
        int attrs = io.github.zmylab.zmy.bench.flat.Item.createAttrsVector(b, x.attrs());
        items[i] = io.github.zmylab.zmy.bench.flat.Item.createItem(b, sku, x.price(), x.qty(), attrs);
      }
      int all = io.github.zmylab.zmy.bench.flat.Order.createItemsVector(b, items);
      int metadata = b.createSortedVectorOfTables(new Pair(), pairs(b, o.metadata()));
      int id = b.createString(o.id());
      b.finish(
          io.github.zmylab.zmy.bench.flat.Order.createOrder(
              b, id, all, metadata, o.timestamp().getEpochSecond(), o.timestamp().getNano()));
    }

    @Override
    public Object read(ByteBuffer in) {
      return io.github.zmylab.zmy.bench.flat.Order.getRootAsOrder(in).unpack();
    }

    @Override
    public Order value(Object read) {
      OrderT o = (OrderT) read;
      List<Item> items = new ArrayList<>();
      for (var i : o.getItems()) {
        byte[] attrs = new byte[i.getAttrs().length];
        for (int j = 0; j < attrs.length; j++) {
          attrs[j] = (byte) i.getAttrs()[j];
        }
        items.add(new Item(i.getSku(), i.getPrice(), i.getQty(), attrs));
      }
      return new Order(o.getId(), items, map(o.getMetadata()), Instant.ofEpochSecond(o.getSeconds(), o.getNanos()));
    }
  }

  static final class Events implements ByBytes.Tables<SSEEvent> {
    @Override
    public void write(FlatBufferBuilder b, SSEEvent e) {
      int id = b.createString(e.id());
      int event = b.createString(e.event());
      int data = b.createString(e.data());
      int meta = b.createSortedVectorOfTables(new Pair(), pairs(b, e.meta()));
      b.finish(io.github.zmylab.zmy.bench.flat.Event.createEvent(b, id, event, data, e.replay(), meta));
    }

    @Override
    public Object read(ByteBuffer in) {
      return io.github.zmylab.zmy.bench.flat.Event.getRootAsEvent(in).unpack();
    }

    @Override
    public SSEEvent value(Object read) {
      EventT e = (EventT) read;
      return new SSEEvent(e.getId(), e.getEvent(), e.getData(), e.getReplay(), map(e.getMeta()));
    }
  }

  static final class Results implements ByBytes.Tables<Result> {
    @Override
    public void write(FlatBufferBuilder b, Result r) {
      int data = io.github.zmylab.zmy.bench.flat.Result.createDataVector(b, r.data());
      b.finish(io.github.zmylab.zmy.bench.flat.Result.createResult(b, r.id(), data, r.timestamp()));
    }

    @Override
    public Object read(ByteBuffer in) {
      return io.github.zmylab.zmy.bench.flat.Result.getRootAsResult(in).unpack();
    }

    @Override
    public Result value(Object read) {
      ResultT r = (ResultT) read;
      return new Result(r.getId(), r.getData(), r.getTimestamp());
    }
  }

  static final class People implements ByBytes.Tables<Person> {
    @Override
    public void write(FlatBufferBuilder b, Person p) {
      int name = b.createString(p.name());
      int phone = b.createString(p.phone());
      b.finish(
          io.github.zmylab.zmy.bench.flat.Person.createPerson(
              b, name, p.birthDay().getEpochSecond(), p.birthDay().getNano(), phone, p.siblings(), p.spouse(), p.money()));
    }

    @Override
    public Object read(ByteBuffer in) {
      return io.github.zmylab.zmy.bench.flat.Person.getRootAsPerson(in).unpack();
    }

    @Override
    public Person value(Object read) {
      PersonT p = (PersonT) read;
      Instant birthDay = Instant.ofEpochSecond(p.getSeconds(), p.getNanos());
      return new Person(p.getName(), birthDay, p.getPhone(), p.getSiblings(), p.getSpouse(), p.getMoney());
    }
  }
}
