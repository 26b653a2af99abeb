package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.vectors.Line;
import io.github.zmylab.zmy.vectors.Maps;
import io.github.zmylab.zmy.vectors.MapsView;
import io.github.zmylab.zmy.vectors.Order;
import io.github.zmylab.zmy.vectors.OrderView;
import io.github.zmylab.zmy.vectors.Sparse1;
import io.github.zmylab.zmy.wire.StructView;
import io.github.zmylab.zmy.wire.Values;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Views show what records hold, over arrays and direct buffers, and survive bytes that are damaged.
 */
class ViewsTest {
  private static Class<?> viewOf(Class<?> record) throws ClassNotFoundException {
    return Class.forName(record.getName() + "View");
  }

  @Test
  void showWhatRecordsHold() throws Exception {
    int seen = 0;
    for (Vector v : Vector.all().filter(v -> v.isMessage() && v.text("expect").equals("ok")).toList()) {
      byte[] b = v.bytes();
      Object record = Readers.ALL.get(v.reader()).unmarshal(b, v.limits());
      StructView direct = (StructView) viewOf(record.getClass())
          .getMethod("of", ByteBuffer.class, DecodeOptions.class).invoke(null, Mode.direct(b), v.limits());
      StructView lazy = (StructView) viewOf(record.getClass()).getMethod("lazy", byte[].class).invoke(null, b);
      seen += same(record, direct, v.id()) + same(record, lazy, v.id());
    }
    assertTrue(seen > 10_000, seen + " fields were compared");
  }

  /** Compares all fields, and returns how many. */
  private static int same(Object record, StructView view, String where) throws Exception {
    int seen = 0;
    for (RecordComponent c : record.getClass().getRecordComponents()) {
      Object want = c.getAccessor().invoke(record);
      String at = where + "." + c.getName();
      if (c.getType().getSimpleName().equals("Unknown")) {
        continue;
      }
      Method size = find(view, c.getName() + "Size");
      Method value = find(view, c.getName());
      if (size != null && want instanceof Map<?, ?> map) {
        seen += map(map, view, c.getName(), at);
      } else if (value != null) {
        seen += one(want, value.invoke(view), at);
      } else {
        seen += list((List<?>) want, (int) size.invoke(view), view, c.getName(), at);
      }
      Method is = find(view, c.getName() + "Is", String.class); // not of what may be null
      if (want instanceof String text && is != null) {
        assertEquals(true, is.invoke(view, text), at);
        assertEquals(false, is.invoke(view, text + "é"), at);
      }
    }
    return seen;
  }

  private static int one(Object want, Object got, String at) throws Exception {
    if (got instanceof StructView view) {
      return same(want, view, at);
    }
    assertTrue(Values.equal(want, got), () -> at + ": " + got + ", want " + want);
    return 1;
  }

  private static int list(List<?> want, int size, StructView view, String name, String at) throws Exception {
    if (size == 0 && !want.isEmpty()) { // an array of zero values has no elements on the wire
      assertEquals(1, want.stream().distinct().count(), at);
      return 0;
    }
    assertEquals(want.size(), size, at);
    int seen = 0;
    for (int i = 0; i < size; i++) {
      seen += one(want.get(i), find(view, name, int.class).invoke(view, i), at + "[" + i + "]");
    }
    return seen;
  }

  private static int map(Map<?, ?> want, StructView view, String name, String at) throws Exception {
    int n = (int) find(view, name + "Size").invoke(view);
    assertEquals(want.size(), n, at);
    int seen = 0;
    for (int i = 0; i < n; i++) {
      Object key = find(view, name + "Key", int.class).invoke(view, i);
      assertTrue(want.containsKey(key), at);
      Object got = find(view, name, String.class).invoke(view, key);
      assertNotNull(got, at);
      seen += one(want.get(key), got, at + "[" + key + "]");
      assertEquals(null, find(view, name, String.class).invoke(view, key + "\u0000none"));
    }
    return seen;
  }

  private static Method find(StructView view, String name, Class<?>... params) {
    try {
      return view.getClass().getMethod(name, params);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Nothing but ZmyException comes out of a view that was not verified. */
  @Test
  void damagedMessages() throws Exception {
    Random r = new Random(1);
    List<Vector> seeds = Vector.all().filter(v -> v.isMessage() && v.bytes().length <= 512).toList();
    int calls = 0;
    for (int i = 0; i < 1500; i++) {
      Vector v = seeds.get(r.nextInt(seeds.size()));
      calls += survive(v.reader(), MutantsTest.damage(r, v.bytes()), i % 2 == 0);
    }
    assertTrue(calls > 3_000, calls + " calls");
  }

  /** Calls whatever can be called of a message's view; returns how much that was. */
  static int survive(String reader, byte[] b, boolean array) throws Exception {
    Class<?> record = Class.forName("io.github.zmylab.zmy.vectors." + reader);
    StructView view = (StructView) viewOf(record).getConstructor().newInstance();
    try {
      Object message = array ? ByteBuffer.wrap(b) : Mode.direct(b);
      view.getClass().getMethod("open", ByteBuffer.class).invoke(view, message);
    } catch (InvocationTargetException e) {
      assertEquals(ZmyException.class, e.getCause().getClass());
      return 0;
    }
    return walk(view, 0);
  }

  /**
   * Whatever one byte becomes, a look-up finds a value or none: the values may be fewer than the
   * keys.
   */
  @Test
  void lookUpsSurvive() throws Exception {
    Line line = new Line("x", 1, new byte[0]);
    byte[] maps =
        Maps.CODEC.marshal(
            Maps.builder()
                .text(Map.of("a", "x", "b", "y"))
                .lines(Map.of("a", line, "b", line))
                .spans(Map.of("a", Sparse1.ZERO, "b", Sparse1.ZERO))
                .build());
    int missing = 0;
    for (int i = 0; i < maps.length; i++) {
      for (int x = 0; x < 256; x++) {
        byte[] b = maps.clone();
        b[i] = (byte) x;
        MapsView view;
        try {
          view = MapsView.lazy(b);
        } catch (ZmyException e) {
          continue;
        }
        for (String key : List.of("a", "b", "\ud800")) {
          missing += view.text(key) == null ? 1 : 0;
          missing += view.lines(key) == null ? 1 : 0;
          missing += view.spans(key) == null ? 1 : 0;
        }
      }
    }
    assertTrue(missing > 0);
  }

  /** A surrogate that stands alone is no text: it is not the '?' that Java writes for it. */
  @Test
  void loneSurrogatesAreNoText() throws Exception {
    OrderView order = OrderView.lazy(Order.CODEC.marshal(Order.builder().id("?").metadata(Map.of("?", "x")).build()));
    assertEquals("x", order.metadata("?"));
    assertEquals(null, order.metadata("\ud800"));
    assertEquals(true, order.idIs("?"));
    assertEquals(false, order.idIs("\ud800"));
    assertEquals(false, order.idIs("\udc00"));
  }

  /** Calls all methods of a view, and of those that they return. */
  private static int walk(StructView view, int level) throws Exception {
    int calls = 0;
    for (Method m : view.getClass().getDeclaredMethods()) {
      if (!Modifier.isPublic(m.getModifiers()) || Modifier.isStatic(m.getModifiers()) || level > 3) {
        continue;
      }
      Class<?>[] params = m.getParameterTypes();
      if (params.length == 0) {
        calls += call(view, m, level);
      } else if (params.length == 1 && params[0] == int.class) {
        String name = m.getName().endsWith("Key") ? m.getName().substring(0, m.getName().length() - 3) : m.getName();
        int n = (int) find(view, name + "Size").invoke(view);
        for (int i = 0; i < Math.min(n, 4); i++) {
          calls += call(view, m, level, i);
        }
      } else if (params.length == 1 && params[0] == String.class) {
        calls += call(view, m, level, "a");
      }
    }
    return calls;
  }

  private static int call(StructView view, Method m, int level, Object... args) throws Exception {
    try {
      Object got = m.invoke(view, args);
      return 1 + (got instanceof StructView inner ? walk(inner, level + 1) : 0);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof ZmyException) {
        return 1;
      }
      throw new AssertionError(m.toString(), e.getCause());
    }
  }
}
