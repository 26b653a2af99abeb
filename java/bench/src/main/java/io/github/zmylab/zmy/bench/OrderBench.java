package io.github.zmylab.zmy.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.flatbuffers.FlatBufferBuilder;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Timestamp;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.bench.orderlite.ItemView;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.orderlite.OrderView;
import io.github.zmylab.zmy.bench.proto.Item;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Orders of 1 to 15 items, by turns. Names are operation, then library. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OrderBench {
  private static final int N = 64; // a power of two

  private final Order[] orders = new Order[N];
  private final Subjects.Pojo[] pojos = new Subjects.Pojo[N];
  private final io.github.zmylab.zmy.bench.proto.Order[] protos = new io.github.zmylab.zmy.bench.proto.Order[N];
  private final byte[][] zmy = new byte[N][];
  private final byte[][] proto = new byte[N][];
  private final byte[][] json = new byte[N][];
  private final byte[][] msgpack = new byte[N][];
  private final byte[][] flat = new byte[N][];
  private final byte[][] fory = new byte[N][];
  private final ByteBuffer heap = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(1 << 16);
  private final byte[] array = new byte[1 << 16];
  private final ObjectMapper mapper = new ObjectMapper();
  private final FlatBufferBuilder builder = new FlatBufferBuilder(1 << 12);
  private final OrderView view = new OrderView();
  private final OrderView[] views = new OrderView[N];
  private final ItemView item = new ItemView();
  private Fory furious;
  private int next;

  private int next() {
    return next = next + 1 & N - 1;
  }

  /** The time of a call and of choosing a value, without any format. */
  @Benchmark
  public byte[] baseline() {
    return zmy[next()];
  }

  @Setup
  public void setUp() throws Exception {
    furious = Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build();
    furious.register(Subjects.Pojo.class);
    furious.register(Subjects.PojoItem.class);
    List<Order> list = Subjects.orders();
    for (int i = 0; i < N; i++) {
      Order o = list.get(i);
      orders[i] = o;
      pojos[i] = Subjects.pojo(o);
      protos[i] = proto(o);
      zmy[i] = Order.CODEC.marshal(o);
      proto[i] = protos[i].toByteArray();
      json[i] = mapper.writeValueAsBytes(pojos[i]);
      msgpack[i] = pack(o);
      flat[i] = flat(o);
      fory[i] = furious.serialize(pojos[i]);
      views[i] = OrderView.of(zmy[i]);
      check(i);
    }
  }

  /** A library that loses something must not look fast. */
  private void check(int i) throws Exception {
    int items = orders[i].items().size();
    boolean good =
        Order.CODEC.unmarshal(zmy[i]).equals(orders[i])
            && io.github.zmylab.zmy.bench.proto.Order.parseFrom(proto[i]).equals(protos[i])
            && mapper.readValue(json[i], Subjects.Pojo.class).items.size() == items
            && unpack(msgpack[i]).equals(orders[i])
            && io.github.zmylab.zmy.bench.flat.Order.getRootAsOrder(ByteBuffer.wrap(flat[i])).unpack().getItems().length == items
            && ((Subjects.Pojo) furious.deserialize(fory[i])).items.size() == items;
    if (!good) {
      throw new IllegalStateException("order " + i);
    }
  }

  static io.github.zmylab.zmy.bench.proto.Order proto(Order o) {
    io.github.zmylab.zmy.bench.proto.Order.Builder b = io.github.zmylab.zmy.bench.proto.Order.newBuilder();
    b.setId(o.id()).putAllMetadata(o.metadata());
    b.setTimestamp(Timestamp.newBuilder().setSeconds(o.timestamp().getEpochSecond()).setNanos(o.timestamp().getNano()));
    for (var i : o.items()) {
      b.addItems(Item.newBuilder().setSku(i.sku()).setPrice(i.price()).setQty(i.qty()).setAttrs(ByteString.copyFrom(i.attrs())));
    }
    return b.build();
  }

  private byte[] flat(Order o) {
    FlatBufferBuilder b = builder;
    b.clear();
    int n = o.items().size();
    int[] items = new int[n];
    for (int i = 0; i < n; i++) {
      var x = o.items().get(i);
      int sku = b.createString(x.sku());
      int attrs = io.github.zmylab.zmy.bench.flat.Item.createAttrsVector(b, x.attrs());
      items[i] = io.github.zmylab.zmy.bench.flat.Item.createItem(b, sku, x.price(), x.qty(), attrs);
    }
    int all = io.github.zmylab.zmy.bench.flat.Order.createItemsVector(b, items);
    int[] pairs = new int[o.metadata().size()];
    int j = 0;
    for (var e : o.metadata().entrySet()) {
      int key = b.createString(e.getKey());
      int value = b.createString(e.getValue());
      pairs[j++] = io.github.zmylab.zmy.bench.flat.Pair.createPair(b, key, value);
    }
    int metadata = b.createSortedVectorOfTables(new io.github.zmylab.zmy.bench.flat.Pair(), pairs);
    int id = b.createString(o.id());
    b.finish(
        io.github.zmylab.zmy.bench.flat.Order.createOrder(
            b, id, all, metadata, o.timestamp().getEpochSecond(), o.timestamp().getNano()));
    return b.sizedByteArray();
  }

  private static byte[] pack(Order o) throws IOException {
    try (MessageBufferPacker p = MessagePack.newDefaultBufferPacker()) {
      p.packArrayHeader(4).packString(o.id()).packArrayHeader(o.items().size());
      for (var i : o.items()) {
        p.packArrayHeader(4).packString(i.sku()).packDouble(i.price()).packInt(i.qty());
        p.packBinaryHeader(i.attrs().length).writePayload(i.attrs());
      }
      p.packMapHeader(o.metadata().size());
      for (var e : o.metadata().entrySet()) {
        p.packString(e.getKey()).packString(e.getValue());
      }
      p.packTimestamp(o.timestamp());
      return p.toByteArray();
    }
  }

  private static Order unpack(byte[] b) throws IOException {
    try (MessageUnpacker u = MessagePack.newDefaultUnpacker(b)) {
      u.unpackArrayHeader();
      Order.Builder o = Order.builder().id(u.unpackString());
      int n = u.unpackArrayHeader();
      var items = new java.util.ArrayList<io.github.zmylab.zmy.bench.orderlite.Item>(n);
      for (int i = 0; i < n; i++) {
        u.unpackArrayHeader();
        items.add(
            new io.github.zmylab.zmy.bench.orderlite.Item(
                u.unpackString(), u.unpackDouble(), u.unpackInt(), u.readPayload(u.unpackBinaryHeader())));
      }
      int m = u.unpackMapHeader();
      var metadata = new java.util.HashMap<String, String>(2 * m);
      for (int i = 0; i < m; i++) {
        metadata.put(u.unpackString(), u.unpackString());
      }
      return o.items(items).metadata(metadata).timestamp(u.unpackTimestamp()).build();
    }
  }

  @Benchmark
  public byte[] encodeZmy() throws ZmyException {
    return Order.CODEC.marshal(orders[next()]);
  }

  @Benchmark
  public ByteBuffer encodeZmyHeapBuffer() throws ZmyException {
    Order.CODEC.marshal(orders[next()], heap.clear());
    return heap;
  }

  @Benchmark
  public ByteBuffer encodeZmyDirectBuffer() throws ZmyException {
    Order.CODEC.marshal(orders[next()], direct.clear());
    return direct;
  }

  @Benchmark
  public byte[] encodeProtobuf() {
    return protos[next()].toByteArray();
  }

  @Benchmark
  public int encodeProtobufReused() throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(array);
    protos[next()].writeTo(out);
    return out.getTotalBytesWritten();
  }

  @Benchmark
  public byte[] encodeProtobufConverted() {
    return proto(orders[next()]).toByteArray();
  }

  @Benchmark
  public byte[] encodeJackson() throws IOException {
    return mapper.writeValueAsBytes(pojos[next()]);
  }

  @Benchmark
  public byte[] encodeMsgpack() throws IOException {
    return pack(orders[next()]);
  }

  @Benchmark
  public byte[] encodeFlatbuffers() {
    return flat(orders[next()]);
  }

  @Benchmark
  public byte[] encodeFory() {
    return furious.serialize(pojos[next()]);
  }

  @Benchmark
  public Order decodeZmy() throws ZmyException {
    return Order.CODEC.unmarshal(zmy[next()]);
  }

  @Benchmark
  public Object decodeProtobuf() throws IOException {
    return io.github.zmylab.zmy.bench.proto.Order.parseFrom(proto[next()]);
  }

  @Benchmark
  public Object decodeJackson() throws IOException {
    return mapper.readValue(json[next()], Subjects.Pojo.class);
  }

  @Benchmark
  public Order decodeMsgpack() throws IOException {
    return unpack(msgpack[next()]);
  }

  @Benchmark
  public Object decodeFlatbuffers() {
    return io.github.zmylab.zmy.bench.flat.Order.getRootAsOrder(ByteBuffer.wrap(flat[next()])).unpack();
  }

  @Benchmark
  public Object decodeFory() {
    return furious.deserialize(fory[next()]);
  }

  @Benchmark
  public void verifyZmy() throws ZmyException {
    Order.CODEC.verify(zmy[next()]);
  }

  /** One number of the last item. */
  @Benchmark
  public int viewZmy() throws ZmyException {
    byte[] b = zmy[next()];
    view.open(b, 0, b.length);
    return view.items(view.itemsSize() - 1, item).qty();
  }

  /** One field of a message that is open. */
  @Benchmark
  public boolean viewZmyText() throws ZmyException {
    byte[] b = zmy[next()];
    view.open(b, 0, b.length);
    return view.idIs("ORD-2025");
  }

  /** One number of the last item of a message that is open already. */
  @Benchmark
  public int viewZmyOpened() {
    OrderView v = views[next()];
    return v.items(v.itemsSize() - 1, item).qty();
  }

  /** How many items such a message has. */
  @Benchmark
  public int viewZmyOpenedSize() {
    return views[next()].itemsSize();
  }

  @Benchmark
  public int viewFlatbuffers() {
    var o = io.github.zmylab.zmy.bench.flat.Order.getRootAsOrder(ByteBuffer.wrap(flat[next()]));
    return o.items(o.itemsLength() - 1).qty();
  }
}
