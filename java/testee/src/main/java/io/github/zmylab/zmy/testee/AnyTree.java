package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.Any;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Spells values of type any. */
final class AnyTree {
  private AnyTree() {}

  private static final Type ANY = Type.scalar("any");
  private static final Type STRING = Type.scalar("string");

  static Object tree(Any v) {
    if (v instanceof Any.Null) {
      return null;
    } else if (v instanceof Any.Bool x) {
      return Map.of("bool", x.value());
    } else if (v instanceof Any.Int x) {
      return Map.of("int", Long.toString(x.value()));
    } else if (v instanceof Any.Uint x) {
      return Map.of("uint", Long.toUnsignedString(x.value()));
    } else if (v instanceof Any.Float64 x) {
      return scalar("float64", x.value());
    } else if (v instanceof Any.Float32 x) {
      return scalar("float32", x.value());
    } else if (v instanceof Any.Text x) {
      return Map.of("string", x.value());
    } else if (v instanceof Any.Number x) {
      return Map.of("number", x.value());
    } else if (v instanceof Any.Binary x) {
      return scalar("bytes", x.value());
    } else if (v instanceof Any.Json x) {
      return Map.of("json", Spell.hex(x.value()));
    } else if (v instanceof Any.Time x) {
      return scalar("time", x.value());
    } else if (v instanceof Any.Span x) {
      return scalar("duration", x.value());
    } else if (v instanceof Any.Complex32 x) {
      return scalar("complex64", x.value());
    } else if (v instanceof Any.Complex x) {
      return scalar("complex128", x.value());
    } else if (v instanceof Any.BigInt x) {
      return scalar("bigint", x.value());
    } else if (v instanceof Any.BigFloating x) {
      return scalar("bigfloat", x.value());
    } else if (v instanceof Any.Decimal x) {
      return Map.of("decimal", List.of(x.value().scale(), x.value().unscaledValue().toString()));
    }
    return composite(v);
  }

  private static Object scalar(String kind, Object v) {
    return Map.of(kind, Spell.scalar(Type.scalar(kind), v));
  }

  private static Object composite(Any v) {
    if (v instanceof Any.Items x) {
      return Map.of("list", Spell.list(ANY, x.value()));
    } else if (v instanceof Any.Entries x) {
      return Map.of("map", Spell.pairs(Type.of("map", STRING, ANY), x.value()));
    } else if (v instanceof Any.Texts x) {
      return Map.of("strings", Spell.list(STRING, x.value()));
    } else if (v instanceof Any.TextMap x) {
      return Map.of("stringmap", Spell.pairs(Type.of("map", STRING, STRING), x.value()));
    } else if (v instanceof Any.Struct x) {
      ByteBuffer id = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(x.lineage());
      return Map.of("struct", Spell.hex(id.array()) + Spell.hex(x.data()));
    } else if (v instanceof Any.Raw x) {
      return Map.of("kind", x.kind(), "raw", Spell.hex(x.data()));
    }
    Any.Packed x = (Any.Packed) v;
    String kind = NAMES.get(x.kind());
    Type elem = Type.scalar(kind);
    List<Object> out = new ArrayList<>();
    for (Object e : Spell.elements(x.array())) {
      out.add(Spell.scalar(elem, e));
    }
    return Map.of(kind + "s", out);
  }

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(Any.BOOLS, "bool"),
          Map.entry(Any.INT8, "int8"),
          Map.entry(Any.INT16, "int16"),
          Map.entry(Any.INT32, "int32"),
          Map.entry(Any.INT64, "int64"),
          Map.entry(Any.UINT16, "uint16"),
          Map.entry(Any.UINT32, "uint32"),
          Map.entry(Any.UINT64, "uint64"),
          Map.entry(Any.FLOAT32, "float32"),
          Map.entry(Any.FLOAT64, "float64"),
          Map.entry(Any.TIMES, "time"),
          Map.entry(Any.SPANS, "duration"));
}
