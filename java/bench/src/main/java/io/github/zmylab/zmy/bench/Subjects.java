package io.github.zmylab.zmy.bench;

import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.bench.orderlite.Order;
import io.github.zmylab.zmy.bench.person.Person;
import io.github.zmylab.zmy.bench.result.Result;
import io.github.zmylab.zmy.bench.sse.SSEEvent;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** The values that Go has written, in the forms of each library. */
final class Subjects {
  private Subjects() {}

  private static <T> List<T> read(String name, Codec<T> codec) {
    Path file = Path.of(System.getProperty("values", "java/bench/target"), name);
    List<T> out = new ArrayList<>();
    try (StreamReader r = new StreamReader(new BufferedInputStream(Files.newInputStream(file)))) {
      for (T v = r.next(codec); v != null; v = r.next(codec)) {
        out.add(v);
      }
    } catch (IOException | ZmyException e) {
      throw new IllegalStateException("make the values: go run ./spec/benchvalues java/bench/target", e);
    }
    return out;
  }

  /** Orders as a program has them: with maps of its own, not those of a decoder. */
  static List<Order> orders() {
    return read("orders.zmys", Order.CODEC).stream()
        .map(o -> o.toBuilder().metadata(new HashMap<>(o.metadata())).items(new ArrayList<>(o.items())).build())
        .toList();
  }

  static List<Result> results() {
    return read("results.zmys", Result.CODEC);
  }

  static List<SSEEvent> events() {
    return read("events.zmys", SSEEvent.CODEC).stream().map(e -> e.toBuilder().meta(new HashMap<>(e.meta())).build()).toList();
  }

  static List<Person> people() {
    return read("people.zmys", Person.CODEC);
  }
}
