package io.github.zmylab.zmy.netty;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ZmyException;
import io.netty.buffer.ByteBuf;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * Writes messages straight into the memory of Netty's buffers, heap or direct, and reads them from
 * it.
 */
public final class ByteBufs {
  private ByteBufs() {}

  private static final int ROOM = 256; // bytes of the first try

  /**
   * Appends a message to a buffer, which grows if necessary.
   *
   * @throws IndexOutOfBoundsException if the message is beyond the buffer's maximum capacity. The
   *     buffer is then as it was
   */
  public static <T> void write(T v, Codec<T> codec, EncodeOptions o, ByteBuf out) throws ZmyException {
    if (out.nioBufferCount() != 1) {
      // The nioBuffer of several parts is a copy: bytes written into it would be lost.
      out.writeBytes(codec.marshal(v, o));
      return;
    }
    for (int room = Math.max(ROOM, out.writableBytes()); ; room *= 2) {
      room = Math.min(room, out.maxWritableBytes());
      out.ensureWritable(room);
      ByteBuffer memory = out.nioBuffer(out.writerIndex(), room);
      try {
        codec.marshal(v, memory, o);
        out.writerIndex(out.writerIndex() + memory.position());
        return;
      } catch (BufferOverflowException e) {
        if (room == out.maxWritableBytes()) {
          throw new IndexOutOfBoundsException("a message of more than " + room + " bytes, which is all that the buffer takes");
        }
      }
    }
  }

  /** Reads all readable bytes of a buffer as one message, and moves its position behind them. */
  public static <T> T read(ByteBuf in, Codec<T> codec, DecodeOptions o) throws ZmyException {
    T v = codec.unmarshal(in.nioBuffer(), o); // a copy, if the buffer has several parts
    in.skipBytes(in.readableBytes());
    return v;
  }
}
