package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.bench.orderlite.ItemView;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.orderlite.OrderView;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.result.ResultView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Single fields of messages, read in place. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 6, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class Views {
  private static final int N = 64; // orders
  private static final int RESULTS = 8;

  private final byte[][] orders = new byte[N][];
  private final String[] ids = new String[N];
  private final byte[][] flatOrders = new byte[N][];
  private final byte[][] results = new byte[RESULTS][];
  private final byte[][] flatResults = new byte[RESULTS][];
  private final OrderView view = new OrderView();
  private final OrderView[] opened = new OrderView[N];
  private final ItemView item = new ItemView();
  private final ResultView result = new ResultView();
  private int next;

  @Setup
  public void setUp() throws Exception {
    List<Order> all = Subjects.orders();
    var tables = new ByBytes.OfFlatBuffers<>(all, new Flat.Orders()).filled();
    for (int i = 0; i < N; i++) {
      ids[i] = all.get(i).id();
      orders[i] = Order.CODEC.marshal(all.get(i));
      opened[i] = OrderView.of(orders[i]);
      flatOrders[i] = tables.messages[i];
    }
    List<Result> points = Subjects.results();
    var pointTables = new ByBytes.OfFlatBuffers<>(points, new Flat.Results()).filled();
    for (int i = 0; i < RESULTS; i++) {
      results[i] = Result.CODEC.marshal(points.get(i));
      flatResults[i] = pointTables.messages[i];
    }
  }

  private int next() {
    return next = next + 1 & N - 1;
  }

  private int nextResult() {
    return next = next + 1 & RESULTS - 1;
  }

  /** The time of a call and of choosing a message, without any format. */
  @Benchmark
  public byte[] baseline() {
    return orders[next()];
  }

  @Benchmark
  public byte[] verifyOrder() throws ZmyException {
    byte[] b = orders[next()];
    Order.CODEC.verify(b);
    return b;
  }

  @Benchmark
  public boolean idOfOrder() throws ZmyException {
    int i = next();
    view.open(orders[i], 0, orders[i].length);
    return view.idIs(ids[i]);
  }

  @Benchmark
  public int lastItem() throws ZmyException {
    byte[] b = orders[next()];
    view.open(b, 0, b.length);
    return view.items(view.itemsSize() - 1, item).qty();
  }

  @Benchmark
  public int lastItemOpened() {
    OrderView v = opened[next()];
    return v.items(v.itemsSize() - 1, item).qty();
  }

  @Benchmark
  public int lastItemFlatbuffers() {
    var o = io.github.zmylab.zmy.bench.flat.Order.getRootAsOrder(ByteBuffer.wrap(flatOrders[next()]));
    return o.items(o.itemsLength() - 1).qty();
  }

  @Benchmark
  public double lastPoint() throws ZmyException {
    byte[] b = results[nextResult()];
    result.open(b, 0, b.length);
    return result.data(result.dataSize() - 1);
  }

  @Benchmark
  public double lastPointFlatbuffers() {
    var r = io.github.zmylab.zmy.bench.flat.Result.getRootAsResult(ByteBuffer.wrap(flatResults[nextResult()]));
    return r.data(r.dataLength() - 1);
  }
}
