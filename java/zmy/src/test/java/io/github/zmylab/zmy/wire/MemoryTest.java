package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.OffsetInstant;
import io.github.zmylab.zmy.ZmyException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A result takes at most two bytes of memory for each unit, four for each byte of the message, and
 * 64 KiB.
 */
class MemoryTest {
  private static final int SLACK = 64 << 10;

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /**
   * Objects with a byte on the wire, and arrays that an older version lacks: many objects for a few
   * units.
   */
  private static final class Thin extends StructCodec<Object[]> {
    static final int ARRAYS = 40;
    static final Fixed<byte[]> ARRAY = Slots.fixed(Packed.INT8, 1);

    Thin() {
      super("Thin", 0, 1 + ARRAYS);
      Layout.Builder fields = Layout.builder().fixed("On", Scalars.BOOL);
      for (int i = 0; i < ARRAYS; i++) {
        fields.fixed("A" + i, ARRAY);
      }
      define(fields);
    }

    @Override
    public Object[] zero() {
      return new Object[0];
    }

    @Override
    protected Object[] read(Decoder d, int from, int to, int h, int head, int depth) throws ZmyException {
      d.open(layout(), from, to, h, head);
      Object[] out = new Object[ARRAYS];
      for (int i = 0; i < ARRAYS; i++) {
        out[i] = ARRAY.zero();
      }
      return out;
    }

    @Override
    protected void write(Encoder e, Object[] v, int h, int head, int depth) {
      throw new UnsupportedOperationException();
    }
  }

  private static <T> T read(Slot<T> type, byte[] b, long budget) throws ZmyException {
    return type.read(Decoder.of(b, 0, b.length, new DecodeOptions(b.length, 0, 0, budget, false)), 0, b.length, 1);
  }

  /** The least budget that accepts a slot is enough for its memory. */
  private static void holds(String name, Slot<?> type, byte[] b) throws ZmyException {
    long low = 0;
    long high = 1 << 30;
    read(type, b, high);
    while (low + 1 + high / 64 < high) {
      long mid = (low + high) / 2;
      try {
        read(type, b, mid);
        high = mid;
      } catch (ZmyException e) {
        assertTrue(e.code() == ErrorCode.BUDGET || e.code() == ErrorCode.MEMORY, e.toString());
        low = mid;
      }
    }
    long before = allocated();
    Object v = read(type, b, high);
    long used = allocated() - before;
    assertTrue(v != null && used <= 2 * high + 4L * b.length + SLACK, name + " takes " + used + " at a budget of " + high);
  }

  private static byte[] thin(int n) {
    ByteBuffer b = ByteBuffer.allocate(4 + n).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(1);
    while (b.hasRemaining()) {
      b.put((byte) 1);
    }
    return b.array();
  }

  @Test
  void olderVersions() throws ZmyException {
    Slot<List<Object[]>> list = Slots.list(new Thin());
    byte[] b = thin(130_000); // as objects 125 MB, 5.3 M units
    long before = allocated();
    ZmyException e = assertThrows(ZmyException.class, () -> read(list, b, 16 << 20));
    assertEquals(ErrorCode.MEMORY, e.code());
    assertTrue(e.getMessage().contains("raise the budget"), e.getMessage());
    assertTrue(allocated() - before < 1 << 20, "memory was taken before the refusal");
    assertEquals(5000, read(list, thin(5000), 16 << 20).size());
    holds("older version", list, thin(5000));
  }

  @Test
  void kinds() throws ZmyException {
    List<String> texts = new ArrayList<>();
    List<OffsetInstant> zones = new ArrayList<>();
    java.util.TreeMap<Integer, Boolean> pairs = new java.util.TreeMap<>();
    List<java.util.Map<Integer, Boolean>> maps = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    List<List<String>> lists = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      texts.add("" + (char) ('a' + i % 26));
      zones.add(new OffsetInstant(java.time.Instant.ofEpochSecond(i), java.time.ZoneOffset.ofTotalSeconds(1 + i)));
      pairs.put(i, true);
      maps.add(java.util.Map.of(i, true));
      bytes.add(new byte[] {1});
      lists.add(List.of("1"));
    }
    check("texts", Slots.list(Slots.STRING), texts);
    check("zones", Slots.packed(Scalars.ZONE), zones);
    check("pairs", Slots.map(Scalars.INT32, Slots.column(Scalars.BOOL)), pairs);
    check("maps", Slots.list(Slots.map(Scalars.INT32, Slots.column(Scalars.BOOL))), maps);
    check("lists", Slots.list(Slots.list(Slots.STRING)), lists);
    check("bytes", Slots.list(Slots.BYTES), bytes);
  }

  private static <T> void check(String name, Slot<T> type, T v) throws ZmyException {
    Encoder e = new Encoder(new byte[1 << 20], new io.github.zmylab.zmy.EncodeOptions(1 << 24, 0, 0));
    type.write(e, v, 1);
    byte[] b = e.bytes();
    holds(name, type, b);
  }

  /** A view that nobody verified has a budget for each field that it decodes. */
  @Test
  void lazyViews() throws ZmyException {
    Slot<List<Object[]>> list = Slots.list(new Thin());
    byte[] b = thin(130_000);
    StructView v = new StructView(Layout.builder().tail("List", list).build()) {};
    ByteBuffer m = ByteBuffer.allocate(8 + b.length).order(ByteOrder.LITTLE_ENDIAN);
    m.putInt(1 << 14).putInt(8 + b.length).put(b);
    v.openMessage(m.array(), 0, m.capacity());
    ZmyException e = assertThrows(ZmyException.class, () -> Views.read(v, Views.tail(v, 0), list));
    assertEquals(ErrorCode.MEMORY, e.code());
  }
}
