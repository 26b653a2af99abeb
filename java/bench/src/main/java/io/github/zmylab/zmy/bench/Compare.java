package io.github.zmylab.zmy.bench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Runs the same benchmarks by CPU time of one thread, all of them by turns in shuffled order: what is
 * left to say on a machine that others use too, where JMH's wall time means nothing. What the collector
 * and the compiler take on threads of their own is not in it.
 */
public final class Compare {
  private Compare() {}

  private static final long ROUND = 10_000_000; // nanoseconds of each benchmark in a round
  private static Object sink;

  /** A benchmark and its nanoseconds for one call, by round. */
  private record Case(String name, MethodHandle call, List<Double> times) {}

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
        c.times.add(measure(c.call));
      }
    }
    cases.sort((x, y) -> x.name.compareTo(y.name));
    for (Case c : cases) {
      double[] late = c.times.subList(rounds / 2, rounds).stream().mapToDouble(x -> x).sorted().toArray();
      System.out.printf("%s.%-26s %10.1f ns CPU%n", title, c.name, late[late.length / 2]);
      if (late.length != Arrays.stream(late).filter(x -> x > 0).count()) {
        throw new IllegalStateException("the clock is too coarse");
      }
    }
  }

  private static double measure(MethodHandle call) throws Throwable {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long start = clock.getCurrentThreadCpuTime();
    long calls = 0;
    long spent;
    do {
      for (int i = 0; i < 64; i++) {
        sink = call.invokeExact();
      }
      calls += 64;
      spent = clock.getCurrentThreadCpuTime() - start;
    } while (spent < ROUND);
    return (double) spent / calls;
  }
}
