package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OrderedMapTest {
  private static final Slot<Map<String, String>> TEXTS = Slots.map(Slots.STRING, Slots.STRING);

  private static byte[] write(Map<String, String> m) throws ZmyException {
    Encoder e = new Encoder(new byte[8], EncodeOptions.DEFAULT);
    TEXTS.write(e, m, 1);
    return e.bytes();
  }

  private static Map<String, String> read(byte[] b) throws ZmyException {
    return TEXTS.read(Decoder.of(b, 0, b.length, DecodeOptions.DEFAULT), 0, b.length, 1);
  }

  @Test
  void isTheMapThatWasWritten() throws ZmyException {
    Random r = new Random(1);
    for (int n = 0; n < 60; n++) {
      Map<String, String> m = new HashMap<>();
      for (int i = 0; i < n; i++) {
        m.put(Integer.toString(r.nextInt(1000), 36) + (char) r.nextInt(0xd800), "v" + i);
      }
      byte[] b = write(m);
      Map<String, String> back = read(b);
      assertEquals(m, back);
      assertEquals(back, m);
      assertEquals(m.hashCode(), back.hashCode());
      for (String key : m.keySet()) {
        assertEquals(m.get(key), back.get(key));
        assertTrue(back.containsKey(key));
        assertFalse(back.containsKey(key + "\u0000"));
      }
      assertEquals(Arrays.toString(b), Arrays.toString(write(back)));
    }
  }

  @Test
  void isFoundInByItsOwnKeysOnly() {
    OrderedMap<Long, String> m = new OrderedMap<Long, String>(new Object[] {1L, 2L}, new Object[] {"a", "b"}, Comparator.naturalOrder());
    assertEquals("b", m.get(2L));
    assertNull(m.get(2));
    assertNull(m.get(null));
    assertNull(m.get("2"));
    assertThrows(UnsupportedOperationException.class, () -> m.put(3L, "c"));
    Iterator<Map.Entry<Long, String>> i = m.entrySet().iterator();
    i.next();
    i.next();
    assertFalse(i.hasNext());
    assertThrows(NoSuchElementException.class, i::next);
  }

  @Test
  void oddMaps() {
    Map<String, String> twice = new IdentityHashMap<>();
    twice.put(new String("k"), "1");
    twice.put(new String("k"), "2");
    assertEquals(ErrorCode.KEY_ORDER, assertThrows(ZmyException.class, () -> write(twice)).code());
    for (int i = 0; i < 40; i++) { // enough for the other way to sort
      twice.put("k" + i, "");
    }
    assertEquals(ErrorCode.KEY_ORDER, assertThrows(ZmyException.class, () -> write(twice)).code());
    Map<String, String> none = new HashMap<>();
    none.put(null, "");
    assertEquals(ErrorCode.NIL, assertThrows(ZmyException.class, () -> write(none)).code());
  }

  @Test
  void nullValuesAreZero() throws ZmyException {
    Map<String, String> m = new TreeMap<>(Comparator.reverseOrder());
    m.put("a", null);
    m.put("b", "x");
    assertEquals(Map.of("a", "", "b", "x"), read(write(m)));
  }
}
