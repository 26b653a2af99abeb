package io.github.zmylab.zmy;

/** What is wrong with bytes, or with a value that has none. Names are the same in every language. */
public enum ErrorCode {
  /** Fewer bytes than a header, its sections or words need. */
  TRUNCATED("unexpected end of input"),
  /** Bits that must be zero are not. */
  RESERVED("reserved bits are set"),
  /** Scalars and tails fit neither an older nor a newer version of the type. */
  MIXED("struct sections fit neither an older nor a newer version of the type"),
  /** Ends are not in order, leave their container, or do not end with it. */
  ENDS("tail ends are not in order"),
  /** Four-byte words where two-byte ones would do. */
  WIDTH("words are wider than needed"),
  /** A value outside of its type: bool 2, nanosecond 10⁹. */
  DOMAIN("value outside of its type's range"),
  /** The zero value, not written as an empty slot. */
  ZERO("zero value not written as empty"),
  /** A string is not UTF-8. */
  UTF8("invalid UTF-8"),
  /** Keys of a map do not strictly increase. */
  KEY_ORDER("map keys are not strictly increasing"),
  /** A number of elements that cannot be, or is not that of the array or of the keys. */
  COUNT("element counts disagree"),
  /** Deeper than the limit. */
  DEPTH("nested deeper than the limit"),
  /** A longer spelling of a number than needed. */
  NOT_MINIMAL("number not in its shortest form"),
  /** A length that the type does not have. */
  LENGTH("length does not fit the type"),
  /** Larger than the limit. */
  TOO_LARGE("larger than the limit"),
  /** The decoded value would take more than the budget. */
  BUDGET("decoded form would exceed the budget"),
  /** The decoded value would take more memory than two bytes for each unit of the budget. */
  MEMORY("decoded form would take more memory than the budget allows"),
  /** When writing: a null where the format has no place for it. */
  NIL("null has no place here"),
  /** A struct of another version of its type, where only the reader's own may be. */
  VERSION("struct of another version of the type"),
  /** The bitmap of a sparse struct does not fit its sections. */
  SPARSE("bitmap does not fit the struct"),
  /** An envelope or a stream begins otherwise. */
  MAGIC("not a ZMY envelope or stream"),
  /** Bytes were damaged on their way. */
  CHECKSUM("checksum does not match"),
  /** Compressed bytes are damaged, or nobody can decompress them. */
  COMPRESSION("cannot be decompressed"),
  /** Chunks of a stream are out of order. */
  SEQUENCE("chunks are out of order");

  private final String text;

  ErrorCode(String text) {
    this.text = text;
  }

  /** The code in words. */
  public String text() {
    return text;
  }
}
