package io.github.zmylab.zmy.nullness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles the library, generated code and the program of a user with NullAway in JSpecify mode.
 * All of it is compiled from source, since javac before 17.0.19 does not read the annotations of
 * type arguments from classes.
 */
class NullnessTest {
  private static final Path USER = Path.of("src/test/user/User.java");

  private static final List<String> ROOTS = List.of(
      "../zmy/src/main/java",
      "../testee/src/main/java",
      "../testee/src/test/java/io/github/zmylab/zmy/golden",
      "../exchange/src/main/java");

  @TempDir Path classes;

  @Test
  void findsNothingButWhatUsersGetWrong() throws IOException {
    List<String> want = new ArrayList<>();
    List<String> lines = Files.readAllLines(USER);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// refused")) {
        want.add("User.java:" + (i + 1));
      }
    }
    assertTrue(want.size() > 10);
    List<String> got = new ArrayList<>();
    StringBuilder texts = new StringBuilder();
    for (Diagnostic<? extends JavaFileObject> d : compile()) {
      JavaFileObject file = d.getSource();
      got.add(file == null ? "javac" : Path.of(file.getName()).getFileName() + ":" + d.getLineNumber());
      texts.append(got.get(got.size() - 1)).append(": ").append(d.getMessage(null)).append('\n');
    }
    assertEquals(want, got.stream().sorted().toList(), texts::toString);
  }

  /** Returns the errors. */
  private List<Diagnostic<? extends JavaFileObject>> compile() throws IOException {
    List<Path> sources = new ArrayList<>(List.of(USER));
    for (String root : ROOTS) {
      try (Stream<Path> all = Files.walk(Path.of(root))) {
        all.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).forEach(sources::add);
      }
    }
    String path = System.getProperty("java.class.path");
    List<String> options = List.of(
        "--release", "17", "-Xmaxerrs", "1000", "-proc:none", "-d", classes.toString(), "-classpath", path, "-processorpath", path,
        "-XDcompilePolicy=simple", "--should-stop=ifError=FLOW", "-XDaddTypeAnnotationsToSymbol=true",
        "-Xplugin:ErrorProne -XepDisableAllChecks -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true -XepOpt:NullAway:JSpecifyMode=true"
            + " -XepOpt:NullAway:JSpecifyExperimental=true");
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StringWriter out = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
      javac.getTask(out, files, found, options, null, files.getJavaFileObjectsFromPaths(sources)).call();
    }
    assertEquals("", out.toString());
    return found.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR).toList();
  }
}
