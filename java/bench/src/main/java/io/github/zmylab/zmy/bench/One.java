package io.github.zmylab.zmy.bench;

import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one benchmark by JMH in this process and prints its figures as Go's benchmarks do, for {@code
 * maint goals}: {@code BenchmarkCells/encode/order/zmy} or {@code BenchmarkViews/lastItem}.
 */
public final class One {
  private One() {}

  private static final String PREFIX = "Benchmark";

  /** Runs the benchmark of that name. */
  @SuppressWarnings("rawtypes") // JMH
  public static void main(String[] args) throws Exception {
    if (args.length != 1 || !args[0].startsWith(PREFIX)) {
      System.err.println("usage: One BenchmarkCells/OPERATION/SUBJECT/LIBRARY | BenchmarkViews/METHOD");
      System.exit(2);
    }
    String[] name = args[0].substring(PREFIX.length()).split("/");
    ChainedOptionsBuilder o =
        new OptionsBuilder().include("\\." + name[0] + "\\." + name[1] + "$").forks(0).verbosity(VerboseMode.SILENT)
            .addProfiler(GCProfiler.class).addProfiler(CpuTime.class);
    if (name.length == 4) {
      o.param("subject", name[2]).param("library", name[3]);
    }
    var results = new Runner(o.build()).run();
    if (results.size() != 1) {
      System.err.println(args[0] + " names " + results.size() + " benchmarks");
      System.exit(1);
    }
    RunResult r = results.iterator().next();
    Map<String, Result> also = r.getSecondaryResults();
    System.out.printf(
        Locale.ROOT, "%s 1 %.2f cpu-ns/op %.2f ns/op %.0f B/op%n", args[0], also.get(CpuTime.LABEL).getScore(),
        r.getPrimaryResult().getScore(), figure(also, "gc.alloc.rate.norm"));
  }

  /** A figure of a profiler, whose label may begin with a dot in the middle of a line. */
  @SuppressWarnings("rawtypes")
  private static double figure(Map<String, Result> results, String label) {
    return results.entrySet().stream().filter(e -> e.getKey().endsWith(label)).findFirst().orElseThrow().getValue().getScore();
  }
}
