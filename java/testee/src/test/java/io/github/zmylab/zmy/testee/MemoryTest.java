package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.BigFloat;
import io.github.zmylab.zmy.Bytes;
import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.Complex128;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.OffsetInstant;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.vectors.Actor;
import io.github.zmylab.zmy.vectors.Cast;
import io.github.zmylab.zmy.vectors.Fat;
import io.github.zmylab.zmy.vectors.Ghost;
import io.github.zmylab.zmy.vectors.Human;
import io.github.zmylab.zmy.vectors.Keep2;
import io.github.zmylab.zmy.vectors.Robot;
import io.github.zmylab.zmy.vectors.Sparse1;
import io.github.zmylab.zmy.vectors.Sparse2;
import io.github.zmylab.zmy.vectors.Tree;
import io.github.zmylab.zmy.wire.Decoder;
import io.github.zmylab.zmy.wire.Encoder;
import io.github.zmylab.zmy.wire.Layout;
import io.github.zmylab.zmy.wire.Packed;
import io.github.zmylab.zmy.wire.Scalars;
import io.github.zmylab.zmy.wire.Slot;
import io.github.zmylab.zmy.wire.Slots;
import io.github.zmylab.zmy.wire.StructCodec;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * A result takes at most two bytes of memory for each unit of the budget, four for each byte of the
 * message, and 64 KiB: spec/FORMAT.md, section 9. Types are drawn from forms inside each other.
 */
class MemoryTest {
  private static final int SLACK = 64 << 10;
  private static final EncodeOptions LARGE = new EncodeOptions(1 << 26, 1 << 26, 0);

  /** What a buffer takes by which an array of numbers is copied: compilers do without it later. */
  private static final int BUFFERS = 112;

  private long passing; // bytes of such buffers, for the values that were drawn

  private <A> A buffered(A array) {
    passing += BUFFERS;
    return array;
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  private static DecodeOptions budget(byte[] b, long budget) {
    return new DecodeOptions(Math.max(1, b.length), 0, 0, budget, false);
  }

  /** A message is refused under the largest budget that its memory is too much for. */
  private static void holds(String name, Codec<?> codec, byte[] b, long passing) {
    long used;
    try {
      codec.unmarshal(b, budget(b, 1L << 40)); // classes are loaded
      long before = allocated();
      codec.unmarshal(b, budget(b, 1L << 40));
      used = allocated() - before - passing;
    } catch (ZmyException refused) {
      return;
    }
    long over = used - 4L * b.length - SLACK - 1;
    if (over < 0) {
      return;
    }
    long budget = Math.max(1, over / 2);
    try {
      codec.unmarshal(b, budget(b, budget));
    } catch (ZmyException e) {
      assertTrue(e.code() == ErrorCode.BUDGET || e.code() == ErrorCode.MEMORY, e.toString());
      return;
    }
    fail(name + ": " + b.length + " bytes take " + used + " of memory at a budget of " + budget);
  }

  /** A struct with one tail. */
  private static final class One<T> extends StructCodec<List<T>> {
    private final Slot<List<T>> slot;

    One(Slot<List<T>> slot) {
      super("One", 1, 24);
      this.slot = slot;
      define(Layout.builder().tail("F", slot));
    }

    @Override
    public List<T> zero() {
      return List.of();
    }

    @Override
    protected List<T> read(Decoder d, int from, int to, int h, int head, int depth) throws ZmyException {
      enter(d, from, depth);
      d.open(layout(), from, to, h, head);
      return slot.read(d, d.first(), d.tail(0), depth);
    }

    @Override
    protected void write(Encoder e, List<T> v, int h, int head, int depth) throws ZmyException {
      e.enter(depth);
      int s = e.reserve(head + 2);
      e.i32(s, h);
      slot.write(e, v, depth);
      int end = e.at() - s;
      if (end <= Layout.NARROW) {
        e.i16(s + head, end);
      } else {
        e.end(s, s + head, new int[] {end});
      }
    }
  }

  /** A form of elements, and values of it. */
  private record Form<T>(String name, Slot<T> slot, Function<Random, T> draw) {
    <U> Form<U> to(String name, Slot<U> slot, Function<Function<Random, T>, Function<Random, U>> of) {
      return new Form<>(name + " of " + this.name, slot, of.apply(draw));
    }

    /** Lists, maps and arrays of it. */
    List<Form<?>> around() {
      List<Form<?>> out = new ArrayList<>();
      out.add(this);
      out.add(to("list", Slots.list(slot), d -> r -> many(r, d)));
      out.add(to("null or list", Slots.nilable(Slots.list(slot)), d -> r -> r.nextInt(3) == 0 ? null : many(r, d)));
      out.add(to("array", Slots.array(slot, 2), d -> r -> List.of(d.apply(r), d.apply(r))));
      out.add(to("map", Slots.map(Slots.STRING, slot), d -> r -> Map.of(text(r), d.apply(r))));
      out.add(to("map by number", Slots.map(Scalars.INT32, slot), d -> r -> Map.of(r.nextInt(), d.apply(r))));
      out.add(to("map by bytes", Slots.map(Slots.key(3), slot), d -> r -> Map.of(Bytes.of(new byte[] {1, 2, (byte) r.nextInt()}), d.apply(r))));
      return out;
    }
  }

  private static <T> List<T> many(Random r, Function<Random, T> draw) {
    List<T> out = new ArrayList<>();
    for (int n = r.nextInt(4); n > 0; n--) {
      out.add(draw.apply(r));
    }
    return out;
  }

  private static String text(Random r) {
    return List.of("", "a", "b", "é", "abcdefghi").get(r.nextInt(5));
  }

  /** A value of each kind of any. */
  private final List<Function<Random, Any>> anys =
      List.of(
          r -> Any.NULL,
          r -> Any.of(r.nextBoolean()),
          r -> Any.of(r.nextLong() >> r.nextInt(64)),
          r -> new Any.Uint(Long.MIN_VALUE | r.nextLong()),
          r -> Any.of(r.nextDouble()),
          r -> Any.of(r.nextFloat()),
          r -> Any.of(text(r)),
          r -> new Any.Number("1"),
          r -> Any.of(new byte[] {1}),
          r -> new Any.Json(new byte[] {'1'}),
          r -> new Any.Time(Instant.ofEpochSecond(r.nextInt())),
          r -> Any.of(Duration.ofNanos(r.nextLong())),
          r -> new Any.Decimal(BigDecimal.valueOf(r.nextInt(), 2)),
          r -> new Any.Decimal(new BigDecimal(new BigInteger(80, r), 3)),
          r -> Any.of(new BigInteger(r.nextInt(90), r)),
          r -> new Any.BigFloating(new BigFloat(8, 1 << 3, 1, new byte[] {(byte) 0x80})),
          r -> new Any.Complex(new Complex128(1, 2)),
          r -> new Any.Struct(7, new byte[] {1}),
          r -> new Any.Raw(200, new byte[] {(byte) r.nextInt()}),
          r -> new Any.Texts(List.of(text(r))),
          r -> new Any.TextMap(Map.of(text(r), text(r))),
          r -> new Any.Items(List.of(Any.of(r.nextBoolean()))),
          r -> new Any.Items(List.of(new Any.Items(List.of(Any.of(1L))))),
          r -> new Any.Entries(Map.of(text(r), Any.of(1L))),
          r -> Any.of(buffered(new long[] {r.nextLong()})),
          r -> new Any.Packed(Any.INT8, buffered(new byte[] {1})),
          r -> new Any.Packed(Any.BOOLS, new boolean[] {true}),
          r -> new Any.Packed(Any.UINT16, new int[] {1}));

  @SuppressWarnings("unchecked")
  private static <T> StructCodec<T> struct(Codec<T> codec) {
    return (StructCodec<T>) codec;
  }

  private List<Form<?>> leaves() {
    List<Form<?>> out = new ArrayList<>();
    for (int i = 0; i < anys.size(); i++) {
      out.add(new Form<>("any " + i, Slots.ANY, anys.get(i)));
    }
    Function<Random, BigInteger> big = r -> new BigInteger(r.nextInt(70), r);
    Function<Random, BigFloat> real = r -> new BigFloat(8, 1 << 3, r.nextInt(9), new byte[] {(byte) 0x80});
    Function<Random, byte[]> bytes = r -> new byte[r.nextInt(3)];
    Function<Random, Actor> actor =
        r ->
            switch (r.nextInt(5)) {
              case 0 -> null;
              case 1 -> new Human(text(r), null);
              case 2 -> new Robot(r.nextInt());
              case 3 -> new Ghost(r.nextInt(), text(r));
              default -> new Actor.Unrecognized(99, new byte[] {1});
            };
    out.add(new Form<>("text", Slots.STRING, MemoryTest::text));
    out.add(new Form<>("bytes", Slots.BYTES, bytes));
    out.add(new Form<>("big integer", Slots.BIG_INT, big));
    out.add(new Form<>("big integer or null", Slots.BIG_INT_OR_NULL, big));
    out.add(new Form<>("big float", Slots.BIG_FLOAT, real));
    out.add(new Form<>("big float or null", Slots.BIG_FLOAT_OR_NULL, real));
    out.add(new Form<>("text or null", Slots.orNull(Slots.STRING), MemoryTest::text));
    out.add(new Form<>("bytes or null", Slots.nilable(Slots.BYTES), bytes));
    out.add(new Form<>("boolean or null", Slots.orNull(Scalars.BOOL), r -> r.nextBoolean()));
    out.add(new Form<>("long or null", Slots.orNull(Scalars.INT64), r -> r.nextLong()));
    out.add(new Form<>("times", Slots.packed(Scalars.TIME), r -> many(r, q -> Instant.ofEpochSecond(q.nextInt()))));
    out.add(
        new Form<>(
            "zones",
            Slots.packed(Scalars.ZONE),
            r -> many(r, q -> new OffsetInstant(Instant.ofEpochSecond(q.nextInt()), ZoneOffset.ofTotalSeconds(q.nextInt(3600))))));
    out.add(new Form<>("longs", Slots.packed(Packed.INT64), r -> buffered(new long[r.nextInt(3)])));
    out.add(new Form<>("booleans", Slots.packed(Packed.BOOL), r -> new boolean[r.nextInt(9)]));
    out.add(new Form<>("texts", Slots.set(Slots.STRING), r -> Set.of(text(r))));
    out.add(new Form<>("numbers", Slots.set(Scalars.INT16), r -> Set.of((short) r.nextInt())));
    out.add(new Form<>("unions", struct(Cast.CODEC), r -> new Cast(actor.apply(r), many(r, actor))));
    out.add(new Form<>("sparse", struct(Sparse1.CODEC), r -> new Sparse1((short) r.nextInt(), text(r), true, null)));
    Function<Random, Sparse2> sparse = r -> Sparse2.builder().d(1 + r.nextInt(9)).b(text(r)).build();
    out.add(new Form<>("sparse with unknown", struct(Sparse2.CODEC), r -> sparse.apply(r).toBuilder().kids(many(r, sparse)).build()));
    out.add(new Form<>("sparse or null", Slots.orNull(struct(Sparse1.CODEC)), r -> new Sparse1((short) 1, text(r), false, null)));
    out.add(new Form<>("keeping", struct(Keep2.CODEC), r -> Keep2.builder().note(text(r)).build()));
    out.add(new Form<>("arrays", struct(Fat.CODEC), r -> new Fat(r.nextInt(200), null, null)));
    out.add(new Form<>("trees", struct(Tree.CODEC), r -> new Tree(r.nextInt(), Tree.ZERO, List.of(Tree.ZERO), anys.get(r.nextInt(anys.size())).apply(r))));
    out.add(new Form<>("tree or null", Slots.orNull(struct(Tree.CODEC)), r -> new Tree(r.nextInt(), null, null, null)));
    return out;
  }

  @Test
  void drawnTypes() throws ZmyException {
    Random r = new Random(5);
    List<String> wrong = new ArrayList<>();
    for (Form<?> leaf : leaves()) {
      for (Form<?> form : leaf.around()) {
        for (int n : new int[] {40, 1500}) {
          try {
            holds(n + " " + form.name, form, n, r);
          } catch (AssertionError e) {
            wrong.add(e.getMessage());
          }
        }
      }
    }
    assertTrue(wrong.isEmpty(), wrong.size() + "\n" + String.join("\n", wrong));
  }

  private <T> void holds(String name, Form<T> form, int n, Random r) throws ZmyException {
    passing = 0;
    List<T> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add(form.draw.apply(r));
    }
    Codec<List<T>> codec = new One<>(Slots.list(form.slot));
    holds(name, codec, codec.marshal(values, LARGE), passing);
  }

  /** Maps of any and of unions as large as a message. */
  @Test
  void largeMaps() throws ZmyException {
    Random r = new Random(6);
    for (Function<Random, Any> draw : anys) {
      passing = 0;
      Map<Integer, Any> map = new HashMap<>();
      for (int i = 0; i < 3000; i++) {
        map.put(i, draw.apply(r));
      }
      Codec<List<Map<Integer, Any>>> codec = new One<>(Slots.list(Slots.map(Scalars.INT32, Slots.ANY)));
      holds("map", codec, codec.marshal(List.of(map), LARGE), passing);
    }
  }

  @Test
  void vectors() {
    Vector.all().filter(Vector::isMessage).forEach(v -> holds(v.id(), Readers.ALL.get(v.reader()), v.bytes(), 0));
  }
}
