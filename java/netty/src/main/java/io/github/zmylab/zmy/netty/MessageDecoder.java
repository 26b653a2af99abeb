package io.github.zmylab.zmy.netty;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ZmyException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageDecoder;
import java.util.List;

/**
 * Reads each frame as one bare message. A handler before it cuts frames, such as a
 * LengthFieldBasedFrameDecoder.
 */
@Sharable
public final class MessageDecoder<T> extends MessageToMessageDecoder<ByteBuf> {
  private final Codec<T> codec;
  private final DecodeOptions options;

  /** Reads messages of a codec's type. */
  public MessageDecoder(Codec<T> codec, DecodeOptions options) {
    this.codec = codec;
    this.options = options;
  }

  /**
   * Reads a frame.
   *
   * @throws ZmyException for a frame that is no message. The pipeline gets it as the cause of a
   *     DecoderException, and can read the next frame
   */
  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf frame, List<Object> out) throws ZmyException {
    out.add(ByteBufs.read(frame, codec, options));
  }
}
