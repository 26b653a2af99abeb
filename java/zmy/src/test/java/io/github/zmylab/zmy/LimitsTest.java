package io.github.zmylab.zmy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
  void printingIsBounded() {
    assertEquals("0x.8p-65536", new BigFloat(2, 1 << 3, -65536, new byte[] {(byte) 0x80}).toString());
    assertEquals("-0x.8p+4097", new BigFloat(2, 1 << 3 | 1 << 5, 4097, new byte[] {(byte) 0x80}).toString());
    assertEquals("0.5", new BigFloat(2, 1 << 3, 0, new byte[] {(byte) 0x80}).toString());
  }

  @Test
  void whatWasGivenStays() {
    DecodeOptions o = new DecodeOptions(0, 1000, 0, 500, false);
    assertEquals(500, o.withMaxWire(1 << 30).budget());
    assertEquals(1000, o.withMaxWire(1 << 30).maxRaw());
    assertEquals(500, o.withExact().withMaxWire(1 << 30).budget());
    assertEquals(500, o.ofLength(1 << 24).budget());
  }

  /** A message inside is charged by its own length, not by what might have come. */
  @Test
  void budgetOfInnerMessages() {
    DecodeOptions o = DecodeOptions.DEFAULT.withMaxWire(1 << 30);
    assertEquals(16 << 20, o.ofLength(1000).budget());
    assertEquals(32L << 20, o.ofLength(2 << 20).budget());
    assertEquals(2 << 20, DecodeOptions.DEFAULT.ofLength(2 << 20).maxWire());
  }

  @Test
  void equalByTheLimitsThatHold() {
    DecodeOptions o = DecodeOptions.DEFAULT;
    DecodeOptions copy = new DecodeOptions(o.maxWire(), o.maxRaw(), o.maxDepth(), o.budget(), o.exact());
    assertEquals(o, copy);
    assertEquals(o.hashCode(), copy.hashCode());
    assertNotEquals(o, o.withMaxWire(1 << 30));
  }

  @Test
  void nullsAreRefused() {
    assertThrows(NullPointerException.class, () -> new Any.Text(null));
    assertThrows(NullPointerException.class, () -> new Any.Binary(null));
    assertThrows(NullPointerException.class, () -> new Any.Packed(Any.INT8, null));
    assertThrows(NullPointerException.class, () -> new BigFloat(0, 0, 0, null));
    assertThrows(NullPointerException.class, () -> new Envelope(0, false, Compression.NONE, null, null));
  }

  @Test
  void negativeLimitsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DecodeOptions(-1, 0, 0, 0, false));
    assertThrows(IllegalArgumentException.class, () -> new EncodeOptions(0, 0, -1));
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
