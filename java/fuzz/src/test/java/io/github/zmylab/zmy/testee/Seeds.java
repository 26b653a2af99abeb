package io.github.zmylab.zmy.testee;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the vectors where Jazzer looks for inputs: a folder for each target, below that of the
 * classes.
 */
public final class Seeds {
  private Seeds() {}

  private static final int MAX = 1024; // bytes of a seed

  /** Writes them below the folder of the classes. */
  public static void main(String[] args) throws IOException {
    Path inputs = Path.of(args[0], "io", "github", "zmylab", "zmy", "testee", "TargetsInputs");
    int n = 0;
    for (Vector v : Vector.all().filter(v -> v.bytes().length <= MAX).toList()) {
      if (v.isMessage()) {
        write(inputs.resolve("messages"), n, Targets.READERS, v);
        write(inputs.resolve("views"), n, Targets.READERS, v);
      } else {
        write(inputs.resolve("frames"), n, Targets.FRAMES, v);
      }
      n++;
    }
  }

  private static void write(Path folder, int n, List<String> readers, Vector v) throws IOException {
    byte[] b = v.bytes();
    byte[] seed = new byte[1 + b.length];
    seed[0] = (byte) (readers.indexOf(v.reader()) | (v.limits().exact() ? 0x80 : 0));
    System.arraycopy(b, 0, seed, 1, b.length);
    Files.createDirectories(folder);
    Files.write(folder.resolve("vector" + n), seed);
  }
}
