package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.Complex64;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.Envelope;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.SealOptions;
import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.StreamWriter;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.golden.kinds.All;
import io.github.zmylab.zmy.vectors.Dynamic;
import io.github.zmylab.zmy.vectors.Item;
import io.github.zmylab.zmy.vectors.Keep1;
import io.github.zmylab.zmy.vectors.Lists;
import io.github.zmylab.zmy.vectors.Order;
import io.github.zmylab.zmy.vectors.Part2;
import io.github.zmylab.zmy.vectors.Scalars;
import io.github.zmylab.zmy.vectors.Sparse1;
import io.github.zmylab.zmy.vectors.Tree;
import io.github.zmylab.zmy.vectors.V2;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Properties of all values, tested with random ones. */
class PropertyTest {
  private static final EncodeOptions LARGE = new EncodeOptions(1 << 24, 0, 0);
  private static final DecodeOptions LARGE_IN = DecodeOptions.DEFAULT.withMaxWire(1 << 24);

  private static String text(Random r, int max) {
    StringBuilder s = new StringBuilder();
    for (int n = r.nextInt(max + 1); n > 0; n--) {
      s.appendCodePoint(r.nextInt(8) > 0 ? 'a' + r.nextInt(26) : 0xe000 + r.nextInt(0x1000));
    }
    return s.toString();
  }

  private static Order order(Random r, int size) {
    List<Item> items = new ArrayList<>();
    for (int n = r.nextInt(size + 1); n > 0; n--) {
      byte[] attrs = new byte[r.nextInt(20)];
      r.nextBytes(attrs);
      items.add(new Item(text(r, 12), r.nextDouble(), r.nextInt(), attrs));
    }
    Map<String, String> metadata = new HashMap<>();
    for (int n = r.nextInt(size + 1); n > 0; n--) {
      metadata.put(text(r, 6), text(r, 30));
    }
    return new Order(text(r, 300), items, metadata, Instant.ofEpochSecond(r.nextInt(), r.nextInt(1_000_000_000)));
  }

  private static Any any(Random r, int depth) {
    switch (r.nextInt(depth > 0 ? 16 : 13)) {
      case 0:
        return Any.NULL;
      case 1:
        return Any.of(r.nextBoolean());
      case 2:
        return Any.of(r.nextLong() >> r.nextInt(64));
      case 3:
        return new Any.Uint(Long.MIN_VALUE | r.nextLong());
      case 4:
        return Any.of(r.nextDouble());
      case 5:
        return Any.of(r.nextFloat());
      case 6:
        return Any.of(text(r, 20));
      case 7:
        return Any.of(new byte[] {1, 2, (byte) r.nextInt()});
      case 8:
        return Any.of(new BigDecimal(new BigInteger(r.nextInt(200), r), r.nextInt(100) - 50));
      case 9:
        return Any.of(new BigInteger(r.nextInt(200), r).negate());
      case 10:
        return Any.of(Duration.ofNanos(r.nextLong()));
      case 11:
        return Any.of(new long[] {r.nextLong(), r.nextLong()});
      case 12:
        return new Any.Raw(200, new byte[] {(byte) r.nextInt()});
      case 13:
        return new Any.Texts(List.of(text(r, 5), text(r, 5)));
      case 14:
        return new Any.Items(List.of(any(r, depth - 1), any(r, depth - 1)));
      default:
        return new Any.Entries(Map.of(text(r, 5), any(r, depth - 1), "z" + text(r, 5), any(r, depth - 1)));
    }
  }

  private static <T> byte[] check(Codec<T> codec, T v) throws ZmyException {
    byte[] b = codec.marshal(v, LARGE);
    codec.verify(b, 0, b.length, LARGE_IN);
    T back = codec.unmarshal(b, LARGE_IN);
    assertEquals(v, back);
    assertEquals(v.hashCode(), back.hashCode());
    assertArrayEquals(b, codec.marshal(back, LARGE), "written again");
    for (ByteBuffer out : List.of(ByteBuffer.allocate(b.length), ByteBuffer.allocateDirect(b.length))) { // no byte to spare
      codec.marshal(v, out, LARGE);
      assertEquals(0, out.remaining());
      assertEquals(ByteOrder.BIG_ENDIAN, out.order());
      assertEquals(v, codec.unmarshal(out.flip(), LARGE_IN));
      assertEquals(0, out.remaining());
    }
    if (b.length > 4) {
      ByteBuffer small = ByteBuffer.allocate(b.length - 1);
      assertThrows(BufferOverflowException.class, () -> codec.marshal(v, small, LARGE));
      assertEquals(0, small.position());
    }
    return b;
  }

  @Test
  void orders() throws ZmyException {
    Random r = new Random(1);
    for (int i = 0; i < 2000; i++) {
      check(Order.CODEC, order(r, i % 20));
    }
    for (int i = 0; i < 10; i++) { // wide containers
      check(Order.CODEC, order(r, 8000));
    }
  }

  /** What marshaling into a buffer comes to: bytes, or the exception. */
  private static <T> String outcome(Codec<T> codec, T v, ByteBuffer out, EncodeOptions o) {
    try {
      codec.marshal(v, out, o);
    } catch (ZmyException | RuntimeException x) {
      return x.toString();
    }
    byte[] b = new byte[out.flip().remaining()];
    out.get(b);
    return HexFormat.of().formatHex(b);
  }

  /** An array is written in the fast way where that goes, a direct buffer never. */
  @Test
  void fastAndGeneral() {
    Random r = new Random(5);
    String[] texts = {"\u0161", "x\u4e2d", "\ud83d\ude00", "\ud800", "\u00e9", null};
    for (int i = 0; i < 20_000; i++) {
      Map<String, String> metadata = new HashMap<>();
      for (int n = r.nextInt(r.nextInt(50) == 0 ? 40 : 8); n > 0; n--) {
        metadata.put("k" + r.nextInt(100), "v".repeat(r.nextInt(40)));
      }
      List<Item> items = new ArrayList<>();
      for (int n = r.nextInt(r.nextInt(100) == 0 ? 3000 : 6); n > 0; n--) {
        items.add(new Item("sku" + n, 1, n, new byte[r.nextInt(4)]));
      }
      String odd = texts[r.nextInt(texts.length)];
      switch (r.nextInt(60)) {
        case 0 -> metadata.put("odd", odd);
        case 1 -> metadata.put(odd, "odd");
        case 2 -> items.add(new Item(odd, 1, 1, new byte[0]));
        case 3 -> items.add(null);
        case 4 -> metadata = new AbstractMap<>() {
          @Override
          public Set<Map.Entry<String, String>> entrySet() {
            throw new UnsupportedOperationException("no entries");
          }

          @Override
          public int size() {
            return 3;
          }
        };
        default -> {}
      }
      Order o = new Order(r.nextInt(60) == 0 ? odd : "id" + i, items, metadata, Instant.ofEpochSecond(i));
      int room = r.nextInt(20) == 0 ? r.nextInt(300) : 1 << 17;
      same(Order.CODEC, o, room, r.nextInt(20) == 0 ? new EncodeOptions(1 + r.nextInt(300), 0, 1 + r.nextInt(3)) : EncodeOptions.DEFAULT);
    }
  }

  /** Asserts that both ways come to the same. */
  private static <T> void same(Codec<T> codec, T v, int room, EncodeOptions o) {
    String general = outcome(codec, v, ByteBuffer.allocateDirect(room), o);
    assertEquals(general, outcome(codec, v, ByteBuffer.allocate(room), o), () -> "" + v);
    String message = outcome(codec, v, ByteBuffer.allocateDirect(1 << 20), o);
    try {
      assertEquals(message, HexFormat.of().formatHex(codec.marshal(v, o)), () -> o + " " + v);
    } catch (ZmyException x) {
      if (x.code() == ErrorCode.TOO_LARGE) { // an array that grows ends at the limit, a buffer when the message is finished
        assertTrue(message.contains("Exception"), message);
      } else {
        assertEquals(message, "" + x);
      }
    } catch (RuntimeException x) {
      assertEquals(message, "" + x);
    }
  }

  /** Bytes that are lent to arrays of zeros, values inside each other, and limits. */
  @Test
  void fastAndGeneralWithinLimits() {
    Random r = new Random(7);
    for (int i = 0; i < 3000; i++) {
      Lists lists = Lists.ZERO.toBuilder().texts(List.of("x".repeat(r.nextInt(400)))).build();
      same(Lists.CODEC, lists, 1 << 17, new EncodeOptions(1 + r.nextInt(900), 0, 0));
      io.github.zmylab.zmy.golden.kinds.Lists arrays = io.github.zmylab.zmy.golden.kinds.Lists.ZERO.toBuilder()
          .floats(new double[r.nextInt(100)]).complex(Collections.nCopies(r.nextInt(60), Complex64.ZERO)).build();
      same(All.CODEC, All.ZERO.toBuilder().lists(arrays).build(), 1 << 17, new EncodeOptions(400 + r.nextInt(1200), 0, 0));
      int depth = 1 + r.nextInt(70);
      String leaf = r.nextInt(4) == 0 ? "\ud800" : "x".repeat(r.nextInt(10) == 0 ? 70_000 : r.nextInt(10));
      Tree t = new Tree(depth, null, List.of(), Any.of(leaf));
      for (int k = 1; k < depth; k++) {
        t = r.nextBoolean() ? new Tree(k, t, List.of(), Any.NULL) : new Tree(k, null, List.of(t), Any.of(k));
      }
      same(Tree.CODEC, t, 1 << 17, new EncodeOptions(r.nextInt(2) == 0 ? 0 : 1 + r.nextInt(2000), 0, 0));
    }
  }

  @Test
  void dynamicValues() throws ZmyException {
    Random r = new Random(1);
    for (int i = 0; i < 5000; i++) {
      check(Dynamic.CODEC, new Dynamic(any(r, 4)));
    }
  }

  @Test
  void nullsAreZero() throws ZmyException {
    Order o = new Order(null, null, null, null);
    assertEquals(Order.ZERO, o);
    assertEquals(o, Order.CODEC.unmarshal(Order.CODEC.marshal(o)));
    assertEquals(Scalars.ZERO, Scalars.CODEC.unmarshal(Scalars.CODEC.marshal(Scalars.ZERO)));
    assertEquals(Lists.ZERO, Lists.CODEC.unmarshal(Lists.CODEC.marshal(Lists.ZERO)));
  }

  @Test
  void listsWithoutFastAccess() throws ZmyException {
    Order o = order(new Random(3), 9);
    Order linked = o.toBuilder().items(new LinkedList<>(o.items())).build();
    assertArrayEquals(Order.CODEC.marshal(o), Order.CODEC.marshal(linked));
  }

  @Test
  void whatHasNoForm() {
    List<Item> none = new ArrayList<>();
    none.add(null);
    refused(ErrorCode.NIL, "Items[0]", Order.CODEC, Order.builder().items(none).build());
    refused(ErrorCode.UTF8, "ID", Order.CODEC, Order.builder().id("\ud800").build());
    refused(ErrorCode.UTF8, "Metadata[\"k\"]", Order.CODEC, Order.builder().metadata(Map.of("k", "\ud800")).build());
    refused(ErrorCode.COUNT, "Names", Lists.CODEC, Lists.builder().names(List.of("one")).build());
    refused(ErrorCode.COUNT, "Table", Lists.CODEC, Lists.builder().table(new byte[299]).build());
    refused(ErrorCode.DOMAIN, "Uint8", Scalars.CODEC, Scalars.builder().uint8(256).build());
    refused(ErrorCode.DOMAIN, "Nano", Scalars.CODEC, Scalars.builder().nano(Instant.MAX).build());
    refused(ErrorCode.DOMAIN, "Value", Dynamic.CODEC, new Dynamic(new Any.Raw(9, new byte[0])));
    refused(ErrorCode.NIL, "", Order.CODEC, null);
    refused(ErrorCode.TOO_LARGE, "ID", Order.CODEC, Order.builder().id("x".repeat(200_000)).build());
    Tree deep = Tree.ZERO;
    for (int i = 0; i < 64; i++) {
      deep = Tree.builder().left(deep).build();
    }
    Tree tooDeep = deep;
    assertEquals(ErrorCode.DEPTH, assertThrows(ZmyException.class, () -> Tree.CODEC.marshal(tooDeep)).code());
  }

  private static <T> void refused(ErrorCode code, String path, Codec<T> codec, T v) {
    ZmyException e = assertThrows(ZmyException.class, () -> codec.marshal(v));
    assertEquals(code, e.code(), e.getMessage());
    assertEquals(path, e.path(), e.getMessage());
    assertEquals(-1, e.offset());
  }

  /** A program of an older version edits and passes on what it does not know. */
  @Test
  void unknownPartsSurviveAnEdit() throws ZmyException {
    V2 v = new V2(7, "name", List.of(new Part2(1, "one"), new Part2(2, "two")), new Part2(3, "three"), 1.5, "note");
    Keep1 old = Keep1.CODEC.unmarshal(V2.CODEC.marshal(v));
    Keep1 edited = old.toBuilder().name("x".repeat(70_000)).build(); // becomes wide
    V2 back = V2.CODEC.unmarshal(Keep1.CODEC.marshal(edited));
    assertEquals(new V2(7, edited.name(), v.list(), v.one(), v.price(), v.note()), back);
  }

  /** A schema block describes all records of a stream. */
  @Test
  void streamsOfOneType() throws Exception {
    for (long fingerprint : new long[] {Order.CODEC.fingerprint(), 0}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (StreamWriter w = new StreamWriter(out, fingerprint, new SealOptions(new byte[] {1}, null, false, 0, null))) {
        w.write(Order.ZERO, Order.CODEC);
        ZmyException e = assertThrows(ZmyException.class, () -> w.write(Scalars.ZERO, Scalars.CODEC));
        assertEquals(ErrorCode.SEQUENCE, e.code());
        w.write(Order.ZERO, Order.CODEC);
        w.finish();
      }
      try (StreamReader r = new StreamReader(new ByteArrayInputStream(out.toByteArray()))) {
        assertEquals(Order.ZERO, r.next(Order.CODEC));
        assertEquals(Order.ZERO, r.next(Order.CODEC));
        assertNull(r.next(Order.CODEC));
      }
    }
  }

  /**
   * A value may take more room while it is written than afterwards: the limit is for the latter.
   */
  @Test
  void limitsAreThoseOfTheFinishedMessage() throws ZmyException {
    Random r = new Random(6);
    fits(Order.CODEC, order(r, 9));
    fits(Lists.CODEC, Lists.ZERO);
    fits(Lists.CODEC, Lists.builder().names(List.of("", "")).build());
    fits(Tree.CODEC, Tree.builder().left(Tree.ZERO).build());
    fits(V2.CODEC, V2.ZERO);
    fits(Sparse1.CODEC, Sparse1.ZERO);
  }

  private static <T> void fits(Codec<T> codec, T v) throws ZmyException {
    byte[] b = codec.marshal(v);
    // Codecs keep the array of an earlier message, which would hide what a new one has to grow to.
    ByteBuffer tight = ByteBuffer.allocate(b.length);
    EncodeOptions o = new EncodeOptions(b.length, 0, 0);
    assertArrayEquals(b, codec.marshal(v, o));
    codec.marshal(v, tight, o);
    assertArrayEquals(b, tight.array());
    assertThrows(ZmyException.class, () -> codec.marshal(v, new EncodeOptions(b.length - 1, 0, 0)));
    assertThrows(ZmyException.class, () -> codec.marshal(v, new EncodeOptions(0, b.length - 1, 0)));
    assertEquals(v, codec.unmarshal(b, new DecodeOptions(b.length, b.length, 0, 0, false)));
    for (DecodeOptions less : List.of(new DecodeOptions(b.length - 1, 0, 0, 0, false), new DecodeOptions(0, b.length - 1, 0, 0, false))) {
      assertEquals(ErrorCode.TOO_LARGE, assertThrows(ZmyException.class, () -> codec.unmarshal(b, less)).code());
      assertEquals(
          ErrorCode.TOO_LARGE, assertThrows(ZmyException.class, () -> codec.verify(b, 0, b.length, less)).code());
    }
  }

  @Test
  void envelopes() throws ZmyException {
    Order o = order(new Random(5), 9);
    assertEquals(o, Envelope.unseal(Envelope.seal(o, Order.CODEC), Order.CODEC));
  }
}
