package io.github.zmylab.zmy.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.google.flatbuffers.FlatBufferBuilder;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.github.zmylab.zmy.Codec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.core.buffer.ArrayBufferInput;

/** Libraries whose messages are arrays: T is the class that the library writes. */
abstract class ByBytes<T> implements Cell {
  static final int ROOM = 1 << 16; // bytes of memory that is used again

  final List<T> values;
  final byte[][] messages;

  private ByBytes(List<T> values) {
    this.values = values;
    messages = new byte[values.size()][];
  }

  /** Makes the messages, once the library is ready. */
  ByBytes<T> filled() throws Exception {
    for (int i = 0; i < messages.length; i++) {
      messages[i] = bytes(encode(i));
    }
    return this;
  }

  /** A copy of the bytes in what encode has returned. */
  abstract byte[] bytes(Object encoded) throws Exception;

  @Override
  public double size() {
    return Arrays.stream(messages).mapToInt(m -> m.length).average().orElseThrow();
  }

  @Override
  public void check() throws Exception {
    for (int i = 0; i < messages.length; i++) {
      if (!values.get(i).equals(same(decode(i)))) {
        throw new IllegalStateException(getClass().getSimpleName() + ": value " + i + " does not come back: " + values.get(i));
      }
    }
  }

  /** What decode has returned, as a value that can be compared. */
  Object same(Object decoded) {
    return decoded;
  }

  /** ZMY native, into a heap buffer or a direct one. */
  static final class Zmy<T> extends ByBytes<T> {
    private final Codec<T> codec;
    private final ByteBuffer out;

    Zmy(List<T> values, Codec<T> codec, ByteBuffer out) {
      super(values);
      this.codec = codec;
      this.out = out;
    }

    @Override
    public Object encode(int i) throws Exception {
      codec.marshal(values.get(i), out.clear());
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      byte[] b = new byte[out.flip().remaining()];
      out.get(b);
      return b;
    }

    @Override
    public Object decode(int i) throws Exception {
      return codec.unmarshal(messages[i]);
    }
  }

  /** Fory, in its form for Java alone and with both ends of one version, which is its fastest. */
  static final class OfFory<T> extends ByBytes<T> {
    private final Fory fory =
        Fory.builder().withXlang(false).withCompatible(false).withRefTracking(false).requireClassRegistration(true)
            .withAsyncCompilation(false).withNumberCompressed(false).build();
    private final MemoryBuffer out = MemoryBuffer.newHeapBuffer(ROOM);

    OfFory(List<T> values) {
      super(values);
      Plain.CLASSES.forEach(fory::register);
    }

    @Override
    public Object encode(int i) {
      out.writerIndex(0);
      fory.serialize(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return out.getBytes(0, out.writerIndex());
    }

    @Override
    public Object decode(int i) {
      return fory.deserialize(messages[i]);
    }
  }

  /** Kryo with registered classes, without references, by its unsafe buffers. */
  static final class OfKryo<T> extends ByBytes<T> {
    private final Kryo kryo = new Kryo();
    private final UnsafeOutput out = new UnsafeOutput(ROOM);
    private final UnsafeInput in = new UnsafeInput();
    private final Class<T> type;

    OfKryo(List<T> values, Class<T> type) {
      super(values);
      this.type = type;
      kryo.setReferences(false);
      Plain.CLASSES.forEach(kryo::register);
      List.of(ArrayList.class, HashMap.class, java.time.Instant.class, byte[].class, double[].class).forEach(kryo::register);
    }

    @Override
    public Object encode(int i) {
      out.reset();
      kryo.writeObject(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return out.toBytes();
    }

    @Override
    public Object decode(int i) {
      in.setBuffer(messages[i]);
      return kryo.readObject(in, type);
    }
  }

  /** Jackson, for whoever comes from JSON. */
  static final class OfJackson<T> extends ByBytes<T> {
    private static final ObjectMapper MAPPER =
        new ObjectMapper().registerModule(new JavaTimeModule()).disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(ROOM);

    OfJackson(List<T> values, Class<T> type) {
      super(values);
      writer = MAPPER.writerFor(type);
      reader = MAPPER.readerFor(type);
    }

    @Override
    public Object encode(int i) throws Exception {
      out.reset();
      writer.writeValue(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return out.toByteArray();
    }

    @Override
    public Object decode(int i) throws Exception {
      return reader.readValue(messages[i]);
    }
  }

  /** Protobuf with generated classes. The messages are built before, and no conversion is counted. */
  static final class OfProtobuf<T extends MessageLite> extends ByBytes<T> {
    private final Parser<T> parser;
    private final byte[] out = new byte[ROOM];

    OfProtobuf(List<T> values, Parser<T> parser) {
      super(values);
      this.parser = parser;
    }

    @Override
    public Object encode(int i) throws Exception {
      CodedOutputStream to = CodedOutputStream.newInstance(out);
      values.get(i).writeTo(to);
      return to;
    }

    @Override
    byte[] bytes(Object encoded) {
      return Arrays.copyOf(out, ((CodedOutputStream) encoded).getTotalBytesWritten());
    }

    @Override
    public Object decode(int i) throws Exception {
      return parser.parseFrom(messages[i]);
    }
  }

  /** Writes and reads one subject with MessagePack. */
  interface Pack<T> {
    void write(MessageBufferPacker out, T v) throws Exception;

    T read(MessageUnpacker in) throws Exception;
  }

  /** MessagePack by hand, by position. */
  static final class OfMsgpack<T> extends ByBytes<T> {
    private final Pack<T> pack;
    private final MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
    private final MessageUnpacker in = MessagePack.newDefaultUnpacker(new byte[0]);

    OfMsgpack(List<T> values, Pack<T> pack) {
      super(values);
      this.pack = pack;
    }

    @Override
    public Object encode(int i) throws Exception {
      out.clear();
      pack.write(out, values.get(i));
      out.flush();
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return out.toByteArray();
    }

    @Override
    public Object decode(int i) throws Exception {
      in.reset(new ArrayBufferInput(messages[i]));
      return pack.read(in);
    }
  }

  /** Writes and reads one subject without checks. */
  interface Raw<T> {
    /** The value with what the floor can write: text of Latin-1, and maps that are sorted or hashed. */
    T plain(T v, boolean sorted);

    /** Returns the number of bytes. */
    int write(byte[] out, T v);

    T read(byte[] in);
  }

  /** The floor of ZMY's layout. */
  static final class OfFloor<T> extends ByBytes<T> {
    private final Raw<T> raw;
    private final Codec<T> codec;
    private final byte[] out = new byte[ROOM];
    private int length;

    OfFloor(List<T> values, Raw<T> raw, Codec<T> codec) {
      super(values.stream().map(v -> raw.plain(v, false)).toList());
      this.raw = raw;
      this.codec = codec;
    }

    @Override
    public Object encode(int i) {
      length = raw.write(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return Arrays.copyOf(out, length);
    }

    @Override
    public Object decode(int i) {
      return raw.read(messages[i]);
    }

    /** Also compares the bytes with those of ZMY, which are the same for ASCII and sorted maps. */
    @Override
    public void check() throws Exception {
      super.check();
      int same = 0;
      for (T v : values) {
        T sorted = raw.plain(v, true);
        byte[] want = codec.marshal(sorted);
        length = raw.write(out, sorted);
        if (Arrays.equals(want, 0, want.length, out, 0, length)) {
          same++;
        } else if (length == want.length) { // text beyond ASCII makes another length
          throw new IllegalStateException("the floor writes other bytes than ZMY: " + sorted);
        }
      }
      if (2 * same < values.size()) {
        throw new IllegalStateException("the floor wrote the bytes of ZMY for " + same + " of " + values.size() + " values");
      }
    }
  }

  /** Writes and reads one subject with SBE. */
  interface Flyweights<T> {
    /** Returns the number of bytes. */
    int write(UnsafeBuffer out, T v);

    T read(UnsafeBuffer in);
  }

  /** SBE's flyweights, to and from the same classes as ZMY. */
  static final class OfSbe<T> extends ByBytes<T> {
    private final Flyweights<T> sbe;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[ROOM]);
    private final UnsafeBuffer in = new UnsafeBuffer(0, 0);
    private int length;

    OfSbe(List<T> values, Flyweights<T> sbe) {
      super(values);
      this.sbe = sbe;
    }

    @Override
    public Object encode(int i) {
      length = sbe.write(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      byte[] b = new byte[length];
      out.getBytes(0, b);
      return b;
    }

    @Override
    public Object decode(int i) {
      in.wrap(messages[i]);
      return sbe.read(in);
    }
  }

  /** Writes and reads one subject with FlatBuffers. */
  interface Tables<T> {
    void write(FlatBufferBuilder out, T v);

    /** Reads a message into the object API. */
    Object read(ByteBuffer in);

    /** The value that such an object has. */
    T value(Object read);
  }

  /** FlatBuffers: read into its object API, unchecked. */
  static final class OfFlatBuffers<T> extends ByBytes<T> {
    private final Tables<T> tables;
    private final FlatBufferBuilder out = new FlatBufferBuilder(ROOM);

    OfFlatBuffers(List<T> values, Tables<T> tables) {
      super(values);
      this.tables = tables;
    }

    @Override
    public Object encode(int i) {
      out.clear();
      tables.write(out, values.get(i));
      return out;
    }

    @Override
    byte[] bytes(Object encoded) {
      return out.sizedByteArray();
    }

    @Override
    public Object decode(int i) {
      return tables.read(ByteBuffer.wrap(messages[i]));
    }

    @Override
    Object same(Object decoded) {
      return tables.value(decoded);
    }
  }
}
