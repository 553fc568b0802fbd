package carillon.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Process of a {@link HolderProgram}, and the operations of a test on it. */
final class Holder implements AutoCloseable {
  private final Process jvm;
  private final BufferedReader out;
  final String firstLine;

  /**
   * Starts a program and waits for its first line.
   *
   * @param launcher words before the java command, for example setsid
   */
  Holder(Path dataDir, String... launcher) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(HolderProgram.class.getName(), dataDir.toString()));
    jvm = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    out = jvm.inputReader();
    firstLine = line();
  }

  long pid() {
    return jvm.pid();
  }

  ProcessHandle redis() {
    return ProcessHandle.of(Long.parseLong(firstLine.replace("started ", ""))).orElseThrow();
  }

  /** Returns the next line that does not belong to the log. */
  String line() throws IOException {
    String line = out.readLine();
    while (line != null && !line.matches("(started|refused|closed).*")) {
      line = out.readLine();
    }
    return line;
  }

  void signal(String name) {
    signal(name, String.valueOf(pid()));
  }

  void signalGroup(String name) {
    signal(name, "-" + pid());
  }

  static void signal(String name, String target) {
    try {
      String command = "kill -s " + name + " -- " + target;
      Process kill = new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start();
      assertEquals(0, kill.waitFor(), command);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void letItClose() throws IOException {
    jvm.getOutputStream().write('\n');
    jvm.getOutputStream().flush();
  }

  void awaitEnd() throws InterruptedException {
    assertEquals(true, jvm.waitFor(60, TimeUnit.SECONDS), "the holder ends");
  }

  @Override
  public void close() {
    jvm.destroyForcibly();
  }
}
