package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.bench.orderlite.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The values as libraries want them that set fields: public fields, no constructor. */
final class Plain {
  private Plain() {}

  static final List<Class<?>> CLASSES = List.of(Order.class, OrderItem.class, Event.class, Result.class, Person.class);

  /** An order. */
  public static final class Order {
    public String id;
    public List<OrderItem> items;
    public Map<String, String> metadata;
    public Instant timestamp;

    @Override
    public boolean equals(Object x) {
      return x instanceof Order o && id.equals(o.id) && items.equals(o.items) && metadata.equals(o.metadata)
          && timestamp.equals(o.timestamp);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  /** A line of it. */
  public static final class OrderItem {
    public String sku;
    public double price;
    public int qty;
    public byte[] attrs;

    @Override
    public boolean equals(Object x) {
      return x instanceof OrderItem i && sku.equals(i.sku) && price == i.price && qty == i.qty && Arrays.equals(attrs, i.attrs);
    }

    @Override
    public int hashCode() {
      return sku.hashCode();
    }
  }

  /** An event of a stream. */
  public static final class Event {
    public String id;
    public String event;
    public String data;
    public boolean replay;
    public Map<String, String> meta;

    @Override
    public boolean equals(Object x) {
      return x instanceof Event e && id.equals(e.id) && event.equals(e.event) && data.equals(e.data) && replay == e.replay
          && meta.equals(e.meta);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  /** Two numbers and 1,024 doubles. */
  public static final class Result {
    public long id;
    public double[] data;
    public long timestamp;

    @Override
    public boolean equals(Object x) {
      return x instanceof Result r && id == r.id && timestamp == r.timestamp && Arrays.equals(data, r.data);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(id);
    }
  }

  /** Six fields. */
  public static final class Person {
    public String name;
    public Instant birthDay;
    public String phone;
    public long siblings;
    public boolean spouse;
    public double money;

    @Override
    public boolean equals(Object x) {
      return x instanceof Person p && name.equals(p.name) && birthDay.equals(p.birthDay) && phone.equals(p.phone)
          && siblings == p.siblings && spouse == p.spouse && money == p.money;
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, phone);
    }
  }

  static Order of(io.github.zmylab.zmy.bench.orderlite.Order o) {
    Order p = new Order();
    p.id = o.id();
    p.items = new ArrayList<>();
    for (Item i : o.items()) {
      OrderItem x = new OrderItem();
      x.sku = i.sku();
      x.price = i.price();
      x.qty = i.qty();
      x.attrs = i.attrs();
      p.items.add(x);
    }
    p.metadata = new HashMap<>(o.metadata());
    p.timestamp = o.timestamp();
    return p;
  }

  static Event of(io.github.zmylab.zmy.bench.sse.SSEEvent e) {
    Event p = new Event();
    p.id = e.id();
    p.event = e.event();
    p.data = e.data();
    p.replay = e.replay();
    p.meta = new HashMap<>(e.meta());
    return p;
  }

  static Result of(io.github.zmylab.zmy.bench.result.Result r) {
    Result p = new Result();
    p.id = r.id();
    p.data = r.data();
    p.timestamp = r.timestamp();
    return p;
  }

  static Person of(io.github.zmylab.zmy.bench.person.Person v) {
    Person p = new Person();
    p.name = v.name();
    p.birthDay = v.birthDay();
    p.phone = v.phone();
    p.siblings = v.siblings();
    p.spouse = v.spouse();
    p.money = v.money();
    return p;
  }
}
