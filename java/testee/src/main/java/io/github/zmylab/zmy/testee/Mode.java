package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.Envelope;
import io.github.zmylab.zmy.OpenOptions;
import io.github.zmylab.zmy.SealOptions;
import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.StreamWriter;
import io.github.zmylab.zmy.ZmyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The modes: ways to read a message. */
enum Mode {
  /** Reads an array into a record. */
  DECODE {
    @Override
    <T> T read(Codec<T> codec, byte[] b, DecodeOptions o) throws ZmyException {
      return codec.unmarshal(b, o);
    }
  },
  /** Reads a direct buffer into a record, and writes it into a direct buffer. */
  DIRECT {
    @Override
    <T> T read(Codec<T> codec, byte[] b, DecodeOptions o) throws ZmyException {
      return codec.unmarshal(direct(b), o);
    }

    @Override
    <T> byte[] write(Codec<T> codec, T v, int expect, EncodeOptions o) throws ZmyException {
      ByteBuffer out = ByteBuffer.allocateDirect(3 + expect);
      out.position(3);
      codec.marshal(v, out, o);
      byte[] b = new byte[out.flip().position(3).remaining()];
      out.get(b);
      return b;
    }
  },
  /** Verifies. The value for the answer is read afterwards. */
  VERIFY {
    @Override
    <T> T read(Codec<T> codec, byte[] b, DecodeOptions o) throws ZmyException {
      codec.verify(b, 0, b.length, o);
      return codec.unmarshal(b, o);
    }
  };

  private static final Map<String, Type> TYPES = Type.load();
  private static final int LARGE = 1 << 30; // bytes that are written again

  abstract <T> T read(Codec<T> codec, byte[] b, DecodeOptions o) throws ZmyException;

  <T> byte[] write(Codec<T> codec, T v, int expect, EncodeOptions o) throws ZmyException {
    return codec.marshal(v, o);
  }

  static ByteBuffer direct(byte[] b) {
    ByteBuffer out = ByteBuffer.allocateDirect(5 + b.length);
    return out.position(5).put(b).flip().position(5);
  }

  /** The value written again, and its fields in JSON. */
  record Accepted(byte[] again, String fields) {}

  /** Reads b as the type of that name; null if there is no such type. */
  Accepted run(String reader, byte[] b, DecodeOptions o) throws ZmyException, IOException {
    if (reader.equals("envelope")) {
      return envelope(b, o);
    }
    if (reader.equals("stream")) {
      return stream(b, o);
    }
    Codec<?> codec = Readers.ALL.get(reader);
    return codec == null ? null : message(codec, b, o);
  }

  private <T> Accepted message(Codec<T> codec, byte[] b, DecodeOptions o) throws ZmyException {
    T v = read(codec, b, o);
    EncodeOptions e = new EncodeOptions(LARGE, 0, Math.max(o.maxDepth(), EncodeOptions.DEFAULT.maxDepth()));
    byte[] again = codec.marshal(v, e);
    return new Accepted(write(codec, v, again.length, e), Json.write(Spell.object(TYPES.get(codec.name()), v)));
  }

  private static Accepted envelope(byte[] b, DecodeOptions o) throws ZmyException, IOException {
    Envelope e = Envelope.open(b, new OpenOptions(o, Stored.ALL, false));
    SealOptions s = new SealOptions(e.schema(), null, !e.checksum(), 0, new EncodeOptions(LARGE, 0, 0));
    byte[] again = Envelope.seal(e.fingerprint(), e.message(), s);
    return new Accepted(again, frame(e.fingerprint(), e.checksum(), e.schema(), List.of(e.message())));
  }

  private static Accepted stream(byte[] b, DecodeOptions o) throws ZmyException, IOException {
    try (StreamReader r = new StreamReader(new ByteArrayInputStream(b), new OpenOptions(o, Stored.ALL, false))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      SealOptions s = new SealOptions(r.schema(), null, !r.checksum(), 1 << 23, new EncodeOptions(LARGE, 0, 0));
      List<byte[]> records = new ArrayList<>();
      try (StreamWriter w = new StreamWriter(out, r.fingerprint(), s)) {
        for (byte[] record = r.next(); record != null; record = r.next()) {
          records.add(record);
          w.write(record);
        }
        w.finish();
      }
      return new Accepted(out.toByteArray(), frame(r.fingerprint(), r.checksum(), r.schema(), records));
    }
  }

  private static String frame(long fingerprint, boolean checksum, byte[] schema, List<byte[]> records) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("fingerprint", Long.toUnsignedString(fingerprint));
    out.put("checksum", checksum);
    if (schema != null) {
      out.put("schema", Spell.hex(schema));
    }
    out.put("records", records.stream().map(Spell::hex).toList());
    return Json.write(out);
  }
}
