package io.github.zmylab.zmy.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.flatbuffers.FlatBufferBuilder;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.result.ResultView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
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

/** Results: two numbers and 1,024 doubles. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ResultBench {
  private static final int N = 8; // a power of two

  private final Result[] results = new Result[N];
  private final Subjects.PojoResult[] pojos = new Subjects.PojoResult[N];
  private final io.github.zmylab.zmy.bench.proto.Result[] protos = new io.github.zmylab.zmy.bench.proto.Result[N];
  private final byte[][] zmy = new byte[N][];
  private final byte[][] proto = new byte[N][];
  private final byte[][] json = new byte[N][];
  private final byte[][] msgpack = new byte[N][];
  private final byte[][] flat = new byte[N][];
  private final byte[][] fory = new byte[N][];
  private final ByteBuffer heap = ByteBuffer.allocate(1 << 16);
  private final ObjectMapper mapper = new ObjectMapper();
  private final FlatBufferBuilder builder = new FlatBufferBuilder(1 << 14);
  private final ResultView view = new ResultView();
  private Fory furious;
  private int next;

  private int next() {
    return next = next + 1 & N - 1;
  }

  @Setup
  public void setUp() throws Exception {
    furious = Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build();
    furious.register(Subjects.PojoResult.class);
    List<Result> list = Subjects.results();
    for (int i = 0; i < N; i++) {
      Result r = list.get(i);
      results[i] = r;
      pojos[i] = Subjects.pojo(r);
      protos[i] =
          io.github.zmylab.zmy.bench.proto.Result.newBuilder()
              .setId(r.id())
              .addAllData(DoubleStream.of(r.data()).boxed().toList())
              .setTimestamp(r.timestamp())
              .build();
      zmy[i] = Result.CODEC.marshal(r);
      proto[i] = protos[i].toByteArray();
      json[i] = mapper.writeValueAsBytes(pojos[i]);
      msgpack[i] = pack(r);
      flat[i] = flat(r);
      fory[i] = furious.serialize(pojos[i]);
      boolean good =
          Result.CODEC.unmarshal(zmy[i]).equals(r)
              && unpack(msgpack[i]).equals(r)
              && ((Subjects.PojoResult) furious.deserialize(fory[i])).data.length == r.data().length;
      if (!good) {
        throw new IllegalStateException("result " + i);
      }
    }
  }

  private byte[] flat(Result r) {
    builder.clear();
    int data = io.github.zmylab.zmy.bench.flat.Result.createDataVector(builder, r.data());
    builder.finish(io.github.zmylab.zmy.bench.flat.Result.createResult(builder, r.id(), data, r.timestamp()));
    return builder.sizedByteArray();
  }

  private static byte[] pack(Result r) throws IOException {
    try (MessageBufferPacker p = MessagePack.newDefaultBufferPacker()) {
      p.packArrayHeader(3).packLong(r.id()).packArrayHeader(r.data().length);
      for (double x : r.data()) {
        p.packDouble(x);
      }
      p.packLong(r.timestamp());
      return p.toByteArray();
    }
  }

  private static Result unpack(byte[] b) throws IOException {
    try (MessageUnpacker u = MessagePack.newDefaultUnpacker(b)) {
      u.unpackArrayHeader();
      long id = u.unpackLong();
      double[] data = new double[u.unpackArrayHeader()];
      for (int i = 0; i < data.length; i++) {
        data[i] = u.unpackDouble();
      }
      return new Result(id, data, u.unpackLong());
    }
  }

  @Benchmark
  public byte[] encodeZmy() throws ZmyException {
    return Result.CODEC.marshal(results[next()]);
  }

  @Benchmark
  public ByteBuffer encodeZmyHeapBuffer() throws ZmyException {
    Result.CODEC.marshal(results[next()], heap.clear());
    return heap;
  }

  @Benchmark
  public byte[] encodeProtobuf() {
    return protos[next()].toByteArray();
  }

  @Benchmark
  public byte[] encodeJackson() throws IOException {
    return mapper.writeValueAsBytes(pojos[next()]);
  }

  @Benchmark
  public byte[] encodeMsgpack() throws IOException {
    return pack(results[next()]);
  }

  @Benchmark
  public byte[] encodeFlatbuffers() {
    return flat(results[next()]);
  }

  @Benchmark
  public byte[] encodeFory() {
    return furious.serialize(pojos[next()]);
  }

  @Benchmark
  public Result decodeZmy() throws ZmyException {
    return Result.CODEC.unmarshal(zmy[next()]);
  }

  @Benchmark
  public Object decodeProtobuf() throws IOException {
    return io.github.zmylab.zmy.bench.proto.Result.parseFrom(proto[next()]);
  }

  @Benchmark
  public Object decodeJackson() throws IOException {
    return mapper.readValue(json[next()], Subjects.PojoResult.class);
  }

  @Benchmark
  public Result decodeMsgpack() throws IOException {
    return unpack(msgpack[next()]);
  }

  @Benchmark
  public Object decodeFlatbuffers() {
    return io.github.zmylab.zmy.bench.flat.Result.getRootAsResult(ByteBuffer.wrap(flat[next()])).unpack();
  }

  @Benchmark
  public Object decodeFory() {
    return furious.deserialize(fory[next()]);
  }

  @Benchmark
  public double viewZmy() throws ZmyException {
    byte[] b = zmy[next()];
    view.open(b, 0, b.length);
    return view.data(view.dataSize() - 1);
  }

  @Benchmark
  public double viewFlatbuffers() {
    var r = io.github.zmylab.zmy.bench.flat.Result.getRootAsResult(ByteBuffer.wrap(flat[next()]));
    return r.data(r.dataLength() - 1);
  }
}
