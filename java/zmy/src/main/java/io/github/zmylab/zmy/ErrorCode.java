package io.github.zmylab.zmy;

/**
 * Kinds of faults in bytes, or in a value that has no encoding. Names are the same in every
 * language.
 */
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
  /** The number of elements is impossible, or is not that of the array or of the keys. */
  COUNT("element counts disagree"),
  /** Values are nested deeper than the limit. */
  DEPTH("nested deeper than the limit"),
  /** A number has a shorter encoding. */
  NOT_MINIMAL("number not in its shortest form"),
  /** A length that the type does not have. */
  LENGTH("length does not fit the type"),
  /** A message, an envelope or a section is larger than its limit. */
  TOO_LARGE("larger than the limit"),
  /** The decoded value would take more than the budget. */
  BUDGET("decoded form would exceed the budget"),
  /** The decoded value would take more memory than two bytes for each unit of the budget. */
  MEMORY("decoded form would take more memory than the budget allows"),
  /** A value that is written has a null where the format has no place for it. */
  NIL("null has no place here"),
  /**
   * A struct of another version of its type, though {@link DecodeOptions#exact} allows only the
   * reader's own.
   */
  VERSION("struct of another version of the type"),
  /** The bitmap of a sparse struct does not fit its sections. */
  SPARSE("bitmap does not fit the struct"),
  /** The bytes do not begin as an envelope or a stream of this version. */
  MAGIC("not a ZMY envelope or stream"),
  /** A checksum is not that of the bytes. */
  CHECKSUM("checksum does not match"),
  /** Compressed bytes are damaged, or no compressor for them was given. */
  COMPRESSION("cannot be decompressed"),
  /** Chunks of a stream are out of order, or a value is not of the stream's type. */
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
