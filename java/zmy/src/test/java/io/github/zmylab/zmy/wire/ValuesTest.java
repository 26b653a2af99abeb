package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.BigFloat;
import io.github.zmylab.zmy.Compression;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.Envelope;
import io.github.zmylab.zmy.SealOptions;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records with arrays compare and show their content. */
class ValuesTest {
  @Test
  void text() {
    byte[] b = {1, (byte) 0xab};
    assertEquals("T[]", Values.text("T"));
    assertEquals("T[a=01ab, b=null, c=x]", Values.text("T", "a", b, "b", null, "c", "x"));
    assertEquals("T[l=[01ab, 01ab], m={k=[1, 2]}]", Values.text("T", "l", List.of(b, b), "m", Map.of("k", new int[] {1, 2})));
    assertEquals("T[d=[[1.5], null]]", Values.text("T", "d", new double[][] {{1.5}, null}));
    assertEquals("Binary[value=01ab]", new Any.Binary(b).toString());
    assertEquals("Json[value={\"a\":1}]", new Any.Json("{\"a\":1}".getBytes()).toString());
    assertEquals("Packed[kind=34, array=[7]]", new Any.Packed(Any.INT16, new short[] {7}).toString());
  }

  /** Values that are equal but for the identity of their arrays. */
  private static Stream<Object> values() {
    byte[] b = {7, 8};
    return Stream.of(
        new Any.Binary(b),
        new Any.Json(b),
        new Any.Struct(1, b),
        new Any.Raw(99, b),
        new Any.Packed(Any.INT8, b),
        new BigFloat(8, 1 << 3, 1, new byte[] {(byte) 0x80}),
        new Envelope(5, true, Compression.NONE, b, b),
        new SealOptions(b, null, false, 0, EncodeOptions.DEFAULT));
  }

  @Test
  void recordsOfTheLibrary() {
    List<Object> one = values().toList();
    List<Object> two = values().toList();
    assertEquals(one, two);
    assertEquals(one.hashCode(), two.hashCode());
    assertEquals(one.toString(), two.toString());
    List<Class<?>> covered = one.stream().<Class<?>>map(Object::getClass).toList();
    for (Class<?> c : Any.class.getPermittedSubclasses()) {
      boolean holdsArray =
          Arrays.stream(c.getRecordComponents()).map(RecordComponent::getType).anyMatch(t -> t.isArray() || t == Object.class);
      assertTrue(!holdsArray || covered.contains(c), c + " is to be tried here");
    }
  }

  @Test
  void versions() {
    for (int v = Generated.OLDEST; v <= Generated.NEWEST; v++) {
      Generated.check(v, ValuesTest.class);
    }
    LinkageError newer = assertThrows(LinkageError.class, () -> Generated.check(Generated.NEWEST + 1, ValuesTest.class));
    assertTrue(newer.getMessage().contains("ValuesTest was generated for version " + (Generated.NEWEST + 1)), newer.getMessage());
    assertTrue(newer.getMessage().contains("raise the version of io.github.zmylab:zmy"), newer.getMessage());
    LinkageError older = assertThrows(LinkageError.class, () -> Generated.check(Generated.OLDEST - 1, ValuesTest.class));
    assertTrue(older.getMessage().contains("zmy gen -lang=java"), older.getMessage());
  }
}
