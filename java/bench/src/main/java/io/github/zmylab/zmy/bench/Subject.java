package io.github.zmylab.zmy.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.Timestamp;
import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * The values of one subject, and how each library has them. T is the class of ZMY, P the plain one.
 * By hand are MessagePack, SBE and FlatBuffers.
 */
record Subject<T>(
    List<T> values, Codec<T> codec, Function<T, Object> plain, Function<T, MessageLite> proto, Parser<? extends MessageLite> parser,
    ByBytes.Pack<T> pack, ByBytes.Flyweights<T> sbe, ByBytes.Tables<T> tables, ByBytes.Raw<T> raw) {

  static Subject<?> of(String name) {
    return switch (name) {
      case "order" -> new Subject<>(Subjects.orders(), Order.CODEC, Plain::of, Subject::proto,
          io.github.zmylab.zmy.bench.proto.Order.parser(), new Msgpack.Orders(), new Sbe.Orders(), new Flat.Orders(), new Floor.Orders());
      case "sse" -> new Subject<>(Subjects.events(), SSEEvent.CODEC, Plain::of, Subject::proto,
          io.github.zmylab.zmy.bench.proto.Event.parser(), new Msgpack.Events(), new Sbe.Events(), new Flat.Events(), new Floor.Events());
      case "result" -> new Subject<>(Subjects.results(), Result.CODEC, Plain::of, Subject::proto,
          io.github.zmylab.zmy.bench.proto.Result.parser(), new Msgpack.Results(), new Sbe.Results(), new Flat.Results(),
          new Floor.Results());
      case "flat" -> new Subject<>(Subjects.people(), Person.CODEC, Plain::of, Subject::proto,
          io.github.zmylab.zmy.bench.proto.Person.parser(), new Msgpack.People(), new Sbe.People(), new Flat.People(), new Floor.People());
      default -> throw new IllegalArgumentException("no subject " + name);
    };
  }

  /** The number of values, a power of two. */
  int count() {
    return values.size();
  }

  /** A library with the values. */
  Cell cell(String library) throws Exception {
    return switch (library) {
      case "zmy" -> new ByBytes.Zmy<>(values, codec, ByteBuffer.allocate(ByBytes.ROOM)).filled();
      case "zmy-direct" -> new ByBytes.Zmy<>(values, codec, ByteBuffer.allocateDirect(ByBytes.ROOM)).filled();
      case "floor" -> new ByBytes.OfFloor<>(values, raw, codec).filled();
      case "fory" -> new ByBytes.OfFory<>(plains()).filled();
      case "kryo" -> new ByBytes.OfKryo<>(plains(), plainType()).filled();
      case "jackson" -> new ByBytes.OfJackson<>(plains(), plainType()).filled();
      case "protobuf" -> protobuf(parser);
      case "msgpack" -> new ByBytes.OfMsgpack<>(values, pack).filled();
      case "sbe" -> new ByBytes.OfSbe<>(values, sbe).filled();
      case "flatbuffers" -> new ByBytes.OfFlatBuffers<>(values, tables).filled();
      default -> throw new IllegalArgumentException("no library " + library);
    };
  }

  private List<Object> plains() {
    return values.stream().map(plain).toList();
  }

  @SuppressWarnings("unchecked")
  private Class<Object> plainType() {
    return (Class<Object>) plain.apply(values.get(0)).getClass();
  }

  @SuppressWarnings("unchecked")
  private <M extends MessageLite> Cell protobuf(Parser<M> of) throws Exception {
    return new ByBytes.OfProtobuf<>(values.stream().map(v -> (M) proto.apply(v)).toList(), of).filled();
  }

  static io.github.zmylab.zmy.bench.proto.Order proto(Order o) {
    var b = io.github.zmylab.zmy.bench.proto.Order.newBuilder().setId(o.id()).putAllMetadata(o.metadata());
    b.setTimestamp(Timestamp.newBuilder().setSeconds(o.timestamp().getEpochSecond()).setNanos(o.timestamp().getNano()));
    for (var i : o.items()) {
      b.addItems(io.github.zmylab.zmy.bench.proto.Item.newBuilder().setSku(i.sku()).setPrice(i.price()).setQty(i.qty())
          .setAttrs(ByteString.copyFrom(i.attrs())));
    }
    return b.build();
  }

  private static io.github.zmylab.zmy.bench.proto.Event proto(SSEEvent e) {
    return io.github.zmylab.zmy.bench.proto.Event.newBuilder().setId(e.id()).setEvent(e.event()).setData(e.data())
        .setReplay(e.replay()).putAllMeta(e.meta()).build();
  }

  private static io.github.zmylab.zmy.bench.proto.Result proto(Result r) {
    return io.github.zmylab.zmy.bench.proto.Result.newBuilder().setId(r.id()).addAllData(DoubleStream.of(r.data()).boxed().toList())
        .setTimestamp(r.timestamp()).build();
  }

  private static io.github.zmylab.zmy.bench.proto.Person proto(Person p) {
    return io.github.zmylab.zmy.bench.proto.Person.newBuilder().setName(p.name())
        .setBirthDay(p.birthDay().getEpochSecond() * 1_000_000_000 + p.birthDay().getNano()).setPhone(p.phone())
        .setSiblings((int) p.siblings()).setSpouse(p.spouse()).setMoney(p.money()).build();
  }
}
