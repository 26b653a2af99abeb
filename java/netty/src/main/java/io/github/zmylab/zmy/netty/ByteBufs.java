package io.github.zmylab.zmy.netty;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ZmyException;
import io.netty.buffer.ByteBuf;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/** Messages in Netty's buffers: written straight into their memory and read from it, heap or direct. */
public final class ByteBufs {
  private ByteBufs() {}

  private static final int ROOM = 256; // bytes of the first try

  /**
   * Appends a message to a buffer, which grows as it must.
   *
   * @throws IndexOutOfBoundsException if the buffer's maximum capacity does not take the message; it is
   *     then as it was
   */
  public static <T> void write(T v, Codec<T> codec, EncodeOptions o, ByteBuf out) throws ZmyException {
    if (out.nioBufferCount() != 1) { // of parts: what is written into a copy would be lost
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

  /** Reads the message that all readable bytes of a buffer are, and passes over them. */
  public static <T> T read(ByteBuf in, Codec<T> codec, DecodeOptions o) throws ZmyException {
    T v = codec.unmarshal(in.nioBuffer(), o); // of a buffer of parts, a copy
    in.skipBytes(in.readableBytes());
    return v;
  }
}
