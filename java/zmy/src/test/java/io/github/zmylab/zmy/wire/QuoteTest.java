package io.github.zmylab.zmy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys are quoted as by Go's strconv.QuoteToASCII. */
class QuoteTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "plain|[\"plain\"]",
        "a\"b\\c|[\"a\\\"b\\\\c\"]",
        "é|[\"\\u00e9\"]",
        "😀|[\"\\U0001f600\"]",
        "0123456789012345678901234567890123456789|[\"0123456789012345678901234567890123456789\"]",
        "01234567890123456789012345678901234567890|[\"0123456789012345678901234567890123456789\\u2026\"]",
        "012345678901234567890123456789012345678é|[\"012345678901234567890123456789012345678\\xc3\\u2026\"]",
      },
      delimiter = '|')
  void texts(String key, String want) {
    assertEquals(want, Quote.step(key));
  }

  @ParameterizedTest
  @CsvSource({"0,\\x00", "7,\\a", "8,\\b", "9,\\t", "10,\\n", "11,\\v", "12,\\f", "13,\\r", "127,\\x7f", "128,\\x80", "255,\\xff"})
  void bytes(int b, String want) {
    assertEquals("[\"" + want + "\"]", Quote.step(new byte[] {(byte) b}));
    assertEquals("[\"" + want + "x\"]", Quote.step(new byte[] {(byte) b, 'x'}));
  }
}
