package carillon.life;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * Product with edited sources. They are compiled and come first on the class path of a separate
 * process.
 *
 * @param dir where they are written
 */
record EditedProduct(Path dir, List<Edit> edits) {
  private static final Path JAVA = Path.of("src/main/java");
  private static final Path RESOURCES = Path.of("src/main/resources");

  /** Replacement of a text in a source file. */
  record Edit(String file, String from, String to) {
    String in(String text) {
      if (!text.contains(from)) {
        throw new IllegalStateException("the bug no longer fits " + file + ": " + from);
      }
      return text.replace(from, to);
    }

    boolean isJava() {
      return file.endsWith(".java");
    }
  }

  /** Runs {@link WalkProgram} with this plant and these arguments, and returns its output. */
  String run(String plant, String... arguments) throws IOException, InterruptedException {
    write();
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-cp", dir + ":" + classPath(), WalkProgram.class.getName(), plant));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    process.waitFor();
    return Files.readString(out);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void write() {
    try {
      for (Edit edit : edits) {
        Path source = (edit.isJava() ? JAVA : RESOURCES).resolve(edit.file);
        Path copy = dir.resolve(edit.file);
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, edit.in(Files.readString(Files.exists(copy) ? copy : source)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    compile();
  }

  private void compile() {
    List<String> sources =
        edits.stream()
            .filter(Edit::isJava)
            .map(edit -> dir.resolve(edit.file).toString())
            .distinct()
            .toList();
    if (!sources.isEmpty()) {
      List<String> options = new ArrayList<>(List.of("-d", dir.toString(), "-cp", classPath()));
      options.addAll(List.of("-proc:none", "-nowarn"));
      options.addAll(sources);
      int code =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, options.toArray(String[]::new));
      if (code != 0) {
        throw new IllegalStateException("cannot compile " + sources);
      }
    }
  }
}
