package io.github.zmylab.zmy.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler of JMH: processor time of the whole process for each call, the collector's included. It
 * is what can be compared on a machine that others use too. The clock ticks in steps of 10 ms.
 */
public final class CpuTime implements InternalProfiler {
  static final String LABEL = "cpu";
  private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private long start;

  /** Processor time of this process in nanoseconds. */
  static long now() {
    return SYSTEM.getProcessCpuTime();
  }

  @Override
  public String getDescription() {
    return "processor time of the process";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    start = now();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = now() - start;
    return List.of(new ScalarResult(LABEL, nanos / result.getMetadata().getAllOps(), "ns/op", AggregationPolicy.AVG));
  }
}
