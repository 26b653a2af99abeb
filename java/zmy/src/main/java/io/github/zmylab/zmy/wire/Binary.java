package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.ZmyException;

/** Bytes, raw JSON, and values of Go types that marshal themselves. */
final class Binary extends Slot<byte[]> {
  private static final byte[] EMPTY = new byte[0];

  @Override
  public byte[] zero() {
    return EMPTY;
  }

  @Override
  public byte[] read(Decoder d, int from, int to, int depth) {
    return from == to ? EMPTY : d.copy(from, to);
  }

  @Override
  public void verify(Decoder d, int from, int to, int depth) {}

  @Override
  public void write(Encoder e, byte[] v, int depth) throws ZmyException {
    if (v != null) {
      e.bytes(v);
    }
  }
}
