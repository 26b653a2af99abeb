package io.github.zmylab.zmy.bench;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Runs the same benchmarks by CPU time of one thread, all of them by turns in shuffled order: what
 * is left to say on a machine that others use too, where JMH's wall time means nothing. What the
 * collector and the compiler take on threads of their own is not in it. Each line has the median of
 * the later rounds, an interval for it, and the bytes that a call allocates. Code is compiled anew
 * in each process: compare several.
 */
public final class Compare {
  private Compare() {}

  private static final long ROUND = 10_000_000; // nanoseconds of each benchmark in a round
  private static Object sink;

  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The time of one call in a round. */
  private record Cost(double nanos, double bytes) {}

  /** A benchmark and what it took, by round. */
  private record Case(String name, MethodHandle call, List<Cost> rounds) {}

  /** Compares the benchmarks whose names match a regular expression, in so many rounds. */
  public static void main(String[] args) throws Throwable {
    String pattern = args.length > 0 ? args[0] : ".*";
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
    for (Object bench : List.of(new OrderBench(), new ResultBench())) {
      List<Case> cases = cases(bench, pattern);
      if (!cases.isEmpty()) {
        bench.getClass().getMethod("setUp").invoke(bench);
        run(bench.getClass().getSimpleName(), cases, rounds);
      }
    }
  }

  private static List<Case> cases(Object bench, String pattern) throws ReflectiveOperationException {
    List<Case> out = new ArrayList<>();
    for (Method m : bench.getClass().getMethods()) {
      String name = bench.getClass().getSimpleName() + "." + m.getName();
      if (m.isAnnotationPresent(Benchmark.class) && name.matches(pattern)) {
        MethodHandle h = MethodHandles.lookup().unreflect(m).bindTo(bench);
        out.add(new Case(m.getName(), h.asType(h.type().changeReturnType(Object.class)), new ArrayList<>()));
      }
    }
    return out;
  }

  private static void run(String title, List<Case> cases, int rounds) throws Throwable {
    Random random = new Random(1);
    List<Case> turn = new ArrayList<>(cases);
    for (int i = 0; i < rounds; i++) {
      Collections.shuffle(turn, random);
      for (Case c : turn) {
        c.rounds.add(measure(c.call));
      }
    }
    cases.sort((x, y) -> x.name.compareTo(y.name));
    for (Case c : cases) {
      List<Cost> late = c.rounds.subList(rounds / 2, rounds);
      double[] nanos = late.stream().mapToDouble(Cost::nanos).sorted().toArray();
      double[] bytes = late.stream().mapToDouble(Cost::bytes).sorted().toArray();
      int half = nanos.length / 2;
      int off = (int) Math.ceil(Math.sqrt(nanos.length)); // order statistics about the median: 95%
      System.out.printf(
          "%s.%-26s %10.1f ns CPU [%.1f, %.1f] %8.0f bytes%n",
          title, c.name, nanos[half], nanos[Math.max(0, half - off)], nanos[Math.min(nanos.length - 1, half + off)], bytes[half]);
      if (nanos[0] <= 0) {
        throw new IllegalStateException("the clock is too coarse");
      }
    }
  }

  private static Cost measure(MethodHandle call) throws Throwable {
    long bytes = THREAD.getCurrentThreadAllocatedBytes();
    long start = THREAD.getCurrentThreadCpuTime();
    long calls = 0;
    long spent;
    do {
      for (int i = 0; i < 64; i++) {
        sink = call.invokeExact();
      }
      calls += 64;
      spent = THREAD.getCurrentThreadCpuTime() - start;
    } while (spent < ROUND);
    return new Cost((double) spent / calls, (double) (THREAD.getCurrentThreadAllocatedBytes() - bytes) / calls);
  }
}
