package carillon.benchmark;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Program that runs as a child process, usually a Java program of our own class path. The child
 * ends when this process ends, even by {@code kill -9}. A shell between the two reads a pipe that
 * only this process holds. When the pipe ends, the shell sends SIGTERM to the program. Ctrl-C does
 * not reach it. All methods block.
 */
final class ChildProcess implements AutoCloseable {
  private static final String LEASH =
      """
      trap '' INT HUP QUIT
      exec 3<&0 </dev/null
      sh -c 'echo $$; exec "$@"' child "$@" 3<&- &
      program=$!
      (read -r end <&3; kill $program; sleep 60; kill -9 $program) >/dev/null 2>&1 &
      leash=$!
      wait $program
      code=$?
      kill -9 $leash
      exit $code
      """;
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(70);
  private static final String ENDED = "ended before it was ready";
  private static final int LINES_KEPT = 30;
  private static final int TERMINATED = 128 + 15; // exit code of a shell after SIGTERM

  private final String name;
  private final String marker;
  private final Process shell;
  private final BufferedReader output;
  private final ProcessHandle program;
  private final CompletableFuture<String> marked = new CompletableFuture<>();
  private final ArrayDeque<String> lastLines = new ArrayDeque<>(); // guarded by itself

  private ChildProcess(String name, String marker, Process shell) throws IOException {
    this.name = name;
    this.marker = marker;
    this.shell = shell;
    this.output = shell.inputReader(StandardCharsets.UTF_8);
    String pid = output.readLine();
    this.program =
        ProcessHandle.of(pid == null ? -1 : Long.parseLong(pid)).orElseThrow(this::endedAtOnce);
    Thread reader = new Thread(this::read, "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a Java program.
   *
   * @param classPath {@link #classPath} or {@link #productClassPath}
   * @param main name of the main class, such as {@code carillon.Main}
   * @param marker text in one line of the output, see {@link #awaitMarker}
   * @param environment added to our own
   */
  static ChildProcess start(
      String classPath,
      String main,
      String marker,
      Map<String, String> environment,
      List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(java(), "-cp", classPath, main));
    command.addAll(arguments);
    return start(main, marker, Path.of("."), environment, command);
  }

  /**
   * Starts any program.
   *
   * @param name name in messages
   * @param marker as above
   * @param directory working directory of the program
   * @param environment added to our own
   */
  static ChildProcess start(
      String name,
      String marker,
      Path directory,
      Map<String, String> environment,
      List<String> program) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LEASH, "leash"));
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return new ChildProcess(name, marker, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  /** Returns the path of the virtual machine that runs this program. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Returns the class path that this program was loaded from. */
  static String classPath() {
    return String.join(File.pathSeparator, classPathEntries());
  }

  /**
   * Returns the class path without the test classes, and so without the log configuration of the
   * tests.
   */
  static String productClassPath() {
    return classPathEntries().stream()
        .filter(entry -> !Path.of(entry).endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Reads the entries from the class loader where possible. Under {@code mvn exec:java}, the system
   * property names Maven's own class path.
   */
  private static List<String> classPathEntries() {
    return ChildProcess.class.getClassLoader() instanceof URLClassLoader loader
        ? Stream.of(loader.getURLs()).map(ChildProcess::file).toList()
        : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }

  private static String file(URL url) {
    try {
      return Path.of(url.toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not a file of the class path: " + url, e);
    }
  }

  /**
   * Waits for the line with the marker. Returns the word after the marker, or an empty text without
   * one. Fails when the program ends first, or after one minute.
   */
  String awaitMarker() {
    try {
      String line = marked.get(START.toMillis(), TimeUnit.MILLISECONDS);
      return line.substring(line.indexOf(marker) + marker.length()).split("\\s", 2)[0];
    } catch (ExecutionException e) {
      throw failure(ENDED);
    } catch (TimeoutException e) {
      throw failure("was not ready within " + START.toSeconds() + " s");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the processor time used so far. */
  Duration cpu() {
    return program.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /**
   * Returns the part of {@link #cpu} used by event loops, without compilers and garbage collectors.
   */
  Duration cpuOfEventLoops() {
    return ThreadTimes.of(program.pid(), "vert.x-eventloo");
  }

  /** Returns the part of {@link #cpu} used by just-in-time compilers. */
  Duration cpuOfCompilers() {
    return ThreadTimes.of(program.pid(), "C1 Compiler")
        .plus(ThreadTimes.of(program.pid(), "C2 Compiler"));
  }

  /** Returns {@link #cpu} plus the processor time of all running descendants. */
  Duration cpuOfTree() {
    return program
        .descendants()
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(cpu(), Duration::plus);
  }

  /** Returns the running descendants of the program. */
  List<ProcessHandle> descendants() {
    return program.descendants().toList();
  }

  long pid() {
    return program.pid();
  }

  boolean isAlive() {
    return program.isAlive();
  }

  /**
   * Asks the program to end and kills it after 70 seconds. Reports a kill on standard error, and
   * any exit code other than 0 and that of SIGTERM.
   */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        program.destroyForcibly();
        System.err.println("benchmark: " + name + " did not end and was killed");
      } else if (shell.exitValue() != 0 && shell.exitValue() != TERMINATED) {
        System.err.println(
            "benchmark: " + failure("ended with exit code " + shell.exitValue()).getMessage());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private IllegalStateException endedAtOnce() {
    read();
    return failure(ENDED);
  }

  private void read() {
    try (output) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        keep(line);
        if (line.contains(marker)) {
          marked.complete(line);
        }
      }
    } catch (IOException e) {
      keep(e.toString());
    }
    marked.completeExceptionally(new IOException("the output has ended"));
  }

  private void keep(String line) {
    synchronized (lastLines) {
      lastLines.addLast(line);
      if (lastLines.size() > LINES_KEPT) {
        lastLines.removeFirst();
      }
    }
  }

  /** Returns an exception with this problem and the last lines of the output. */
  IllegalStateException failure(String what) {
    synchronized (lastLines) {
      return new IllegalStateException(
          name + " " + what + "; the last it said:\n  " + String.join("\n  ", lastLines));
    }
  }

  /** Processor time by kind of thread, as reported by Linux. */
  static final class ThreadTimes {
    private static final long TICK_MILLIS = 10; // USER_HZ is 100 on every Linux that Java runs on
    private static final int USER_TICKS = 11; // index of the word after the name, see proc(5)
    private static final int SYSTEM_TICKS = 12;

    private ThreadTimes() {}

    /**
     * Returns the processor time of all threads of a process whose names start with {@code name}.
     *
     * @param name at most 15 characters, because Linux keeps no more
     * @return zero without {@code /proc}, and for a process that has ended
     */
    static Duration of(long pid, String name) {
      Path tasks = Path.of("/proc", Long.toString(pid), "task");
      if (!Files.isDirectory(tasks)) {
        return Duration.ZERO;
      }
      try (Stream<Path> threads = Files.list(tasks)) {
        return Duration.ofMillis(
            TICK_MILLIS
                * threads.map(ThreadTimes::stat).mapToLong(stat -> ticks(stat, name)).sum());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns an empty text for a thread that has ended in the meantime. */
    private static String stat(Path thread) {
      try {
        return Files.readString(thread.resolve("stat"));
      } catch (IOException e) {
        return "";
      }
    }

    private static long ticks(String stat, String name) {
      int begin = stat.indexOf('(') + 1;
      int end = stat.lastIndexOf(')');
      if (end < 0 || !stat.substring(begin, end).startsWith(name)) {
        return 0;
      }
      List<String> words = List.of(stat.substring(end + 2).split(" "));
      return Long.parseLong(words.get(USER_TICKS)) + Long.parseLong(words.get(SYSTEM_TICKS));
    }
  }
}
