package io.github.zmylab.zmy.netty;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ZmyException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;

/**
 * Writes values of one class as bare messages. A handler before it frames them, such as a
 * LengthFieldPrepender.
 */
@Sharable
public final class MessageEncoder<T> extends MessageToByteEncoder<T> {
  private final Codec<T> codec;
  private final EncodeOptions options;

  /** For values of type, such as {@code Order.class} with {@code Order.CODEC}. */
  public MessageEncoder(Class<T> type, Codec<T> codec, EncodeOptions options) {
    super(type);
    this.codec = codec;
    this.options = options;
  }

  @Override
  protected void encode(ChannelHandlerContext ctx, T v, ByteBuf out) throws ZmyException {
    ByteBufs.write(v, codec, options, out);
  }
}
