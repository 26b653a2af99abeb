package io.github.zmylab.zmy;

import java.nio.ByteBuffer;

/**
 * Marshals and unmarshals messages of one type. Generated code has one for each: {@code
 * Order.CODEC}. It has no state and may be used by many threads.
 */
public interface Codec<T> {
  /** The type's name in its schema. */
  String name();

  /** The type's fingerprint, which envelopes carry. It does not depend on names. */
  long fingerprint();

  /**
   * Marshals a value as a message of its own.
   *
   * @throws ZmyException for a value without a form on the wire, or larger than the limits
   */
  default byte[] marshal(T v) throws ZmyException {
    return marshal(v, EncodeOptions.DEFAULT);
  }

  /** {@link #marshal(Object)} under other limits. */
  byte[] marshal(T v, EncodeOptions o) throws ZmyException;

  /**
   * Marshals a value straight into a buffer, heap or direct, from its position on. The position
   * moves behind the message. If marshalling fails, the position stays, and the bytes behind it are
   * undefined.
   *
   * @throws java.nio.BufferOverflowException if the message does not fit
   */
  default void marshal(T v, ByteBuffer dst) throws ZmyException {
    marshal(v, dst, EncodeOptions.DEFAULT);
  }

  /** {@link #marshal(Object, ByteBuffer)} under other limits. */
  void marshal(T v, ByteBuffer dst, EncodeOptions o) throws ZmyException;

  /**
   * Unmarshals a message. The result shares no memory with it.
   *
   * @throws ZmyException for bytes that are no message of the type
   */
  default T unmarshal(byte[] message) throws ZmyException {
    return unmarshal(message, 0, message.length, DecodeOptions.DEFAULT);
  }

  /** {@link #unmarshal(byte[])} under other limits. */
  default T unmarshal(byte[] message, DecodeOptions o) throws ZmyException {
    return unmarshal(message, 0, message.length, o);
  }

  /** Unmarshals the message that is the bytes [from, to) of an array. */
  T unmarshal(byte[] b, int from, int to, DecodeOptions o) throws ZmyException;

  /** Unmarshals the remaining bytes of a buffer. Its position moves to its limit. */
  default T unmarshal(ByteBuffer src) throws ZmyException {
    return unmarshal(src, DecodeOptions.DEFAULT);
  }

  /** {@link #unmarshal(ByteBuffer)} under other limits. */
  T unmarshal(ByteBuffer src, DecodeOptions o) throws ZmyException;

  /**
   * Checks all of a message. A message that it accepts can be unmarshalled and viewed.
   *
   * @throws ZmyException the one that {@link #unmarshal} would throw
   */
  default void verify(byte[] message) throws ZmyException {
    verify(message, 0, message.length, DecodeOptions.DEFAULT);
  }

  /** Checks the message that is the bytes [from, to) of an array, under other limits. */
  void verify(byte[] b, int from, int to, DecodeOptions o) throws ZmyException;

  /** Checks the remaining bytes of a buffer, under other limits. Its position stays. */
  void verify(ByteBuffer b, DecodeOptions o) throws ZmyException;
}
