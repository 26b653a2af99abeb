package io.github.zmylab.zmy.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Encoding and decoding: each subject by each library, one library a process. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class Cells {
  @Param({"order", "sse", "result", "flat"})
  public String subject;

  @Param({"zmy", "zmy-direct", "floor", "fory", "sbe", "msgpack", "protobuf", "kryo", "flatbuffers", "jackson"})
  public String library;

  private static final long WARM = TimeUnit.MILLISECONDS.toNanos(1500);

  private Cell cell;
  private Object sink;
  private int mask;
  private int next;

  /** Makes the values and the messages, checks that each value comes back, and warms up. */
  @Setup
  public void setUp(BenchmarkParams p) throws Exception {
    Subject<?> s = Subject.of(subject);
    cell = s.cell(library);
    mask = s.count() - 1;
    cell.check();
    warm(p.getBenchmark().endsWith("encode"));
  }

  /**
   * Runs until the process has had {@link #WARM} of processor time. JMH's own warm-up counts the time
   * of the day, in which a busy machine may leave the JVM's compiler nothing.
   */
  private void warm(boolean encode) throws Exception {
    long start = CpuTime.now();
    while (CpuTime.now() - start < WARM) {
      for (int i = 0; i < 1000; i++) {
        sink = encode ? encode() : decode();
      }
    }
  }

  /** Writes the next value into memory that is used again. */
  @Benchmark
  public Object encode() throws Exception {
    return cell.encode(next = next + 1 & mask);
  }

  /** Reads the next message. */
  @Benchmark
  public Object decode() throws Exception {
    return cell.decode(next = next + 1 & mask);
  }
}
