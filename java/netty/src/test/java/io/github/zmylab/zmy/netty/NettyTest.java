package io.github.zmylab.zmy.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.EncodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.exchange.v1.Item;
import io.github.zmylab.zmy.exchange.v1.Order;
import io.github.zmylab.zmy.exchange.v1.OrderView;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NettyTest {
  private static final PooledByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;

  private static final Map<String, Supplier<ByteBuf>> BUFFERS =
      Map.of(
          "direct", () -> POOL.directBuffer(16),
          "heap", () -> POOL.heapBuffer(16),
          "unpooled", () -> Unpooled.buffer(16),
          "slice", () -> POOL.directBuffer(1 << 16).writeZero(7).slice(7, 1 << 15).writerIndex(0),
          "of parts", () -> POOL.compositeBuffer().addComponent(true, Unpooled.buffer(9).writeZero(9)).addComponent(Unpooled.buffer(9)));

  private static Order order(int items) {
    List<Item> all = IntStream.range(0, items).mapToObj(i -> Item.builder().sku("sku-" + i).qty(i).build()).toList();
    return Order.builder().id("Ä-" + items).items(all).labels(Map.of("channel", "web")).build();
  }

  /** Whatever the buffer, the bytes are those of an array, behind what stood there. */
  @Test
  void buffers() throws ZmyException {
    for (Map.Entry<String, Supplier<ByteBuf>> x : BUFFERS.entrySet()) {
      for (int items : new int[] {0, 1, 300}) {
        ByteBuf out = x.getValue().get();
        int start = out.writerIndex();
        out.writeByte(42);
        ByteBufs.write(order(items), Order.CODEC, EncodeOptions.DEFAULT, out);
        assertEquals(42, out.getByte(start));
        out.readerIndex(start + 1);
        assertArrayEquals(Order.CODEC.marshal(order(items)), ByteBufUtil.getBytes(out), x.getKey());
        OrderView view = new OrderView();
        view.open(out.nioBuffer());
        assertEquals(items, view.itemsSize());
        assertEquals(order(items), ByteBufs.read(out, Order.CODEC, DecodeOptions.DEFAULT), x.getKey());
        assertFalse(out.isReadable());
        out.release();
      }
    }
  }

  @Test
  void tooSmall() throws ZmyException {
    int size = Order.CODEC.marshal(order(9)).length;
    ByteBuf exact = Unpooled.buffer(0, size);
    ByteBufs.write(order(9), Order.CODEC, EncodeOptions.DEFAULT, exact);
    assertEquals(size, exact.readableBytes());
    ByteBuf small = Unpooled.buffer(0, size - 1);
    assertThrows(
        IndexOutOfBoundsException.class, () -> ByteBufs.write(order(9), Order.CODEC, EncodeOptions.DEFAULT, small));
    assertEquals(0, small.readableBytes());
  }

  /** A frame that is no message spoils nothing but itself. */
  @Test
  void pipeline() throws ZmyException {
    EmbeddedChannel out =
        new EmbeddedChannel(
            new LengthFieldPrepender(4), new MessageEncoder<>(Order.class, Order.CODEC, EncodeOptions.DEFAULT));
    EmbeddedChannel in =
        new EmbeddedChannel(
            new LengthFieldBasedFrameDecoder(1 << 20, 0, 4, 0, 4), new MessageDecoder<>(Order.CODEC, DecodeOptions.DEFAULT));
    out.writeOutbound(order(3), order(0));
    for (ByteBuf b = out.readOutbound(); b != null; b = out.readOutbound()) {
      while (b.isReadable(5)) {
        in.writeInbound(b.readRetainedSlice(5)); // as a network cuts it
      }
      in.writeInbound(b);
    }
    DecoderException e =
        assertThrows(DecoderException.class, () -> in.writeInbound(Unpooled.buffer().writeInt(3).writeZero(3)));
    assertEquals(ErrorCode.TRUNCATED, assertInstanceOf(ZmyException.class, e.getCause()).code());
    byte[] last = Order.CODEC.marshal(order(1));
    in.writeInbound(Unpooled.buffer().writeInt(last.length).writeBytes(last));
    for (int items : new int[] {3, 0, 1}) {
      assertEquals(order(items), in.readInbound());
    }
    assertFalse(in.finish());
    assertFalse(out.finish());
  }
}
