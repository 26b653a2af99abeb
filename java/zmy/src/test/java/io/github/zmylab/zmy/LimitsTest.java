package io.github.zmylab.zmy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void defaults() {
    DecodeOptions o = DecodeOptions.DEFAULT;
    assertEquals(128 << 10, o.maxWire());
    assertEquals(4 << 20, o.maxRaw());
    assertEquals(64, o.maxDepth());
    assertEquals(16 << 20, o.budget());
    assertEquals(16L << 30, o.withMaxWire(1 << 30).budget());
    assertEquals(1 << 30, o.withMaxWire(1 << 30).maxRaw());
    assertEquals(true, o.withExact().exact());
    assertEquals(128 << 10, EncodeOptions.DEFAULT.maxWire());
  }

  @Test
  void negativeLimitsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DecodeOptions(-1, 0, 0, 0, false));
    assertThrows(IllegalArgumentException.class, () -> new EncodeOptions(0, -1));
    assertThrows(IllegalArgumentException.class, () -> new SealOptions(null, null, false, 1 << 24, null));
  }

  @Test
  void texts() {
    ZmyException e = new ZmyException(ErrorCode.UTF8, 57, "").in("Sku").in("[0]").in("Items").of("Order");
    assertEquals("Items[0].Sku", e.path());
    assertEquals("zmy: Order.Items[0].Sku: invalid UTF-8 at offset 57", e.getMessage());
    assertEquals("zmy: larger than the limit (9 bytes)", new ZmyException(ErrorCode.TOO_LARGE, -1, "9 bytes").getMessage());
  }
}
