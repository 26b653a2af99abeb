package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.bench.orderlite.Item;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sbe.EventDecoder;
import io.github.zmylab.zmy.bench.sbe.EventEncoder;
import io.github.zmylab.zmy.bench.sbe.MessageHeaderDecoder;
import io.github.zmylab.zmy.bench.sbe.MessageHeaderEncoder;
import io.github.zmylab.zmy.bench.sbe.OrderDecoder;
import io.github.zmylab.zmy.bench.sbe.OrderEncoder;
import io.github.zmylab.zmy.bench.sbe.PersonDecoder;
import io.github.zmylab.zmy.bench.sbe.PersonEncoder;
import io.github.zmylab.zmy.bench.sbe.ResultDecoder;
import io.github.zmylab.zmy.bench.sbe.ResultEncoder;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** The subjects by SBE's flyweights. */
final class Sbe {
  private Sbe() {}

  static final class Orders implements ByBytes.Flyweights<Order> {
    private final MessageHeaderEncoder head = new MessageHeaderEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderEncoder to = new OrderEncoder();
    private final OrderDecoder from = new OrderDecoder();

    @Override
    public int write(UnsafeBuffer out, Order o) {
      to.wrapAndApplyHeader(out, 0, head).seconds(o.timestamp().getEpochSecond()).nanos(o.timestamp().getNano());
      OrderEncoder.ItemsEncoder items = to.itemsCount(o.items().size());
      for (Item i : o.items()) {
        items.next().price(i.price()).qty(i.qty()).sku(i.sku()).putAttrs(i.attrs(), 0, i.attrs().length);
      }
      OrderEncoder.MetadataEncoder pairs = to.metadataCount(o.metadata().size());
      for (Map.Entry<String, String> e : o.metadata().entrySet()) {
        pairs.next().key(e.getKey()).value(e.getValue());
      }
      to.key(o.id());
      return to.limit();
    }

    @Override
    public Order read(UnsafeBuffer in) {
      from.wrapAndApplyHeader(in, 0, header);
      Instant t = Instant.ofEpochSecond(from.seconds(), from.nanos());
      OrderDecoder.ItemsDecoder items = from.items();
      List<Item> list = new ArrayList<>(items.count());
      while (items.hasNext()) {
        items.next();
        double price = items.price();
        int qty = items.qty();
        String sku = items.sku();
        byte[] attrs = new byte[items.attrsLength()];
        items.getAttrs(attrs, 0, attrs.length);
        list.add(new Item(sku, price, qty, attrs));
      }
      OrderDecoder.MetadataDecoder pairs = from.metadata();
      Map<String, String> m = new HashMap<>(2 * pairs.count());
      while (pairs.hasNext()) {
        pairs.next();
        String key = pairs.key();
        m.put(key, pairs.value());
      }
      return new Order(from.key(), list, m, t);
    }
  }

  static final class Events implements ByBytes.Flyweights<SSEEvent> {
    private final MessageHeaderEncoder head = new MessageHeaderEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final EventEncoder to = new EventEncoder();
    private final EventDecoder from = new EventDecoder();

    @Override
    public int write(UnsafeBuffer out, SSEEvent e) {
      to.wrapAndApplyHeader(out, 0, head).replay((short) (e.replay() ? 1 : 0));
      EventEncoder.MetaEncoder pairs = to.metaCount(e.meta().size());
      for (Map.Entry<String, String> x : e.meta().entrySet()) {
        pairs.next().key(x.getKey()).value(x.getValue());
      }
      to.key(e.id()).event(e.event()).data(e.data());
      return to.limit();
    }

    @Override
    public SSEEvent read(UnsafeBuffer in) {
      from.wrapAndApplyHeader(in, 0, header);
      boolean replay = from.replay() != 0;
      EventDecoder.MetaDecoder pairs = from.meta();
      Map<String, String> m = new HashMap<>(2 * pairs.count());
      while (pairs.hasNext()) {
        pairs.next();
        String key = pairs.key();
        m.put(key, pairs.value());
      }
      return new SSEEvent(from.key(), from.event(), from.data(), replay, m);
    }
  }

  static final class Results implements ByBytes.Flyweights<Result> {
    private final MessageHeaderEncoder head = new MessageHeaderEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ResultEncoder to = new ResultEncoder();
    private final ResultDecoder from = new ResultDecoder();

    @Override
    public int write(UnsafeBuffer out, Result r) {
      to.wrapAndApplyHeader(out, 0, head).key(r.id()).timestamp(r.timestamp());
      ResultEncoder.DataEncoder data = to.dataCount(r.data().length);
      for (double x : r.data()) {
        data.next().point(x);
      }
      return to.limit();
    }

    @Override
    public Result read(UnsafeBuffer in) {
      from.wrapAndApplyHeader(in, 0, header);
      long id = from.key();
      long timestamp = from.timestamp();
      ResultDecoder.DataDecoder points = from.data();
      double[] data = new double[points.count()];
      for (int i = 0; i < data.length; i++) {
        data[i] = points.next().point();
      }
      return new Result(id, data, timestamp);
    }
  }

  static final class People implements ByBytes.Flyweights<Person> {
    private final MessageHeaderEncoder head = new MessageHeaderEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PersonEncoder to = new PersonEncoder();
    private final PersonDecoder from = new PersonDecoder();

    @Override
    public int write(UnsafeBuffer out, Person p) {
      to.wrapAndApplyHeader(out, 0, head).seconds(p.birthDay().getEpochSecond()).nanos(p.birthDay().getNano()).siblings(p.siblings());
      to.spouse((short) (p.spouse() ? 1 : 0)).money(p.money()).name(p.name()).phone(p.phone());
      return to.limit();
    }

    @Override
    public Person read(UnsafeBuffer in) {
      from.wrapAndApplyHeader(in, 0, header);
      Instant birthDay = Instant.ofEpochSecond(from.seconds(), from.nanos());
      long siblings = from.siblings();
      boolean spouse = from.spouse() != 0;
      double money = from.money();
      return new Person(from.name(), birthDay, from.phone(), siblings, spouse, money);
    }
  }
}
