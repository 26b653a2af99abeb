package io.github.zmylab.zmy.testee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.ZmyException;
import org.junit.jupiter.api.Test;

/** Values that are read twice are equal and look alike: nothing shows the identity of an array. */
class TextsTest {
  @Test
  void vectors() {
    long read = Vector.all().filter(Vector::isMessage).filter(TextsTest::alike).count();
    assertTrue(read > 300, "only " + read + " vectors were read");
  }

  private static boolean alike(Vector v) {
    Codec<?> codec = Readers.ALL.get(v.reader());
    Object one;
    Object two;
    try {
      one = codec.unmarshal(v.bytes(), v.limits());
      two = codec.unmarshal(v.bytes(), v.limits());
    } catch (ZmyException refused) {
      return false;
    }
    assertEquals(one, two, v.id());
    assertEquals(one.hashCode(), two.hashCode(), v.id());
    assertEquals(one.toString(), two.toString(), v.id());
    return true;
  }
}
