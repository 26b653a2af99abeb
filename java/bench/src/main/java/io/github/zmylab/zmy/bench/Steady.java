package io.github.zmylab.zmy.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.google.protobuf.CodedOutputStream;
import com.sun.management.ThreadMXBean;
import io.github.zmylab.zmy.bench.orderlite.Order;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes orders into a direct buffer at a steady rate, as a service does that is not at its limit,
 * and says what that costs beside the time: latency, collections and garbage. One library a
 * process.
 *
 * <p>Latency counts from when a message was due, so that a pause is in the latency of all messages
 * that waited for it. The time of the call alone stands beside it.
 */
public final class Steady {
  private Steady() {}

  private static final int WARM = 5; // seconds

  /** Writes value i into a buffer. */
  private interface Write {
    void write(int i, ByteBuffer out) throws Exception;
  }

  /** Runs one library for so many seconds at so many messages a second. */
  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      System.err.println("usage: Steady zmy|jackson|protobuf [SECONDS] [MESSAGES A SECOND]");
      System.exit(2);
    }
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    int rate = args.length > 2 ? Integer.parseInt(args[2]) : 10_000;
    Write w = writer(args[0]);
    run(w, WARM * rate, rate);
    long allocated = allocated();
    long collections = collections(true);
    long millis = collections(false);
    long[][] times = run(w, seconds * rate, rate);
    double mb = (allocated() - allocated) / 1e6 / seconds;
    System.out.printf(
        "%-9s latency %s µs; call %s µs; %d collections, %d ms; %.2f MB allocated a second%n",
        args[0], percentiles(times[0]), percentiles(times[1]), collections(true) - collections, collections(false) - millis, mb);
  }

  private static Write writer(String library) throws Exception {
    List<Order> orders = Subjects.orders();
    int n = orders.size();
    switch (library) {
      case "zmy":
        return (i, out) -> Order.CODEC.marshal(orders.get(i % n), out);
      case "jackson":
        List<Plain.Order> plain = orders.stream().map(Plain::of).toList();
        ObjectWriter json = new ObjectMapper().registerModule(new JavaTimeModule()).writerFor(Plain.Order.class);
        return (i, out) -> json.writeValue(new Out(out), plain.get(i % n));
      case "protobuf":
        var protos = orders.stream().map(Subject::proto).toList();
        return (i, out) -> {
          CodedOutputStream to = CodedOutputStream.newInstance(out);
          protos.get(i % n).writeTo(to);
          to.flush();
        };
      default:
        throw new IllegalArgumentException(library);
    }
  }

  /** Writes n messages; returns nanoseconds since each was due, and of each call. */
  private static long[][] run(Write w, int n, int rate) throws Exception {
    ByteBuffer out = ByteBuffer.allocateDirect(1 << 16);
    long[][] times = new long[2][n];
    long gap = 1_000_000_000 / rate;
    long start = System.nanoTime() + gap;
    for (int i = 0; i < n; i++) {
      long due = start + i * gap;
      long now = System.nanoTime();
      while (now < due) {
        if (due - now > 200_000) {
          LockSupport.parkNanos(due - now - 150_000);
        }
        now = System.nanoTime();
      }
      w.write(i, out.clear());
      long end = System.nanoTime();
      times[0][i] = end - due;
      times[1][i] = end - now;
    }
    return times;
  }

  private static String percentiles(long[] times) {
    Arrays.sort(times);
    StringBuilder s = new StringBuilder();
    for (double p : new double[] {0.5, 0.99, 0.999, 1}) {
      int at = Math.min(times.length - 1, (int) (p * times.length));
      s.append(s.isEmpty() ? "" : ", ").append(p == 1 ? "max" : "p" + Double.toString(100 * p).replace(".0", ""));
      s.append(String.format(" %.1f", times[at] / 1e3));
    }
    return s.toString();
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static long collections(boolean count) {
    long sum = 0;
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      sum += count ? gc.getCollectionCount() : gc.getCollectionTime();
    }
    return sum;
  }

  /** The output of Jackson. */
  private static final class Out extends OutputStream {
    private final ByteBuffer out;

    Out(ByteBuffer out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      out.put((byte) b);
    }

    @Override
    public void write(byte[] b, int from, int n) throws IOException {
      out.put(b, from, n);
    }
  }
}
