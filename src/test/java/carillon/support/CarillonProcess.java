package carillon.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Carillon as users run it: the packaged program in its own process. The system property {@code
 * carillon.jar} names the program. {@code carillon.java.home} names the JDK, by default that of the
 * tests. The process ends at {@link #close}, or at the latest with this JVM.
 */
public final class CarillonProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration END = Duration.ofMinutes(3);
  private static final Pattern READY = Pattern.compile("listening on (http://\\S+)\\s");
  private static final Pattern REDIS =
      Pattern.compile("embedded Redis started redisPid=\"(\\d+)\".*socket=\"([^\"]+)\"");
  private static final long IGNORES_INT = 1L << 1; // bit 1 of a mask of signals is signal 2

  /** Client for all processes. A request waits at most for the patience of a test. */
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private final Process process;
  private final Path out;
  private final Path err;
  private final Thread hook;
  private URI base;

  /** Exit code and complete output of a process. */
  public record Exit(int code, String out, String err) {}

  private CarillonProcess(
      Path dir, Map<String, String> environment, List<String> program, List<String> arguments) {
    try {
      out = Files.createTempFile(dir, "carillon-", ".out");
      err = Files.createTempFile(dir, "carillon-", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command(program, arguments))
              .directory(dir.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("CARILLON_"));
      builder.environment().putAll(environment);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts the program and waits until its output says that it is ready.
   *
   * @param dir working directory; {@code data} is created there
   * @param environment added to that of this process; the port is any free one unless set here
   */
  public static CarillonProcess start(
      Path dir, Map<String, String> environment, String... arguments) {
    return start(dir, environment, packaged(), List.of(arguments));
  }

  /**
   * Same as the other {@code start}, but with other arguments for the virtual machine.
   *
   * @param program its arguments up to the program, such as {@code -cp front:carillon.jar
   *     carillon.Main}
   */
  public static CarillonProcess start(
      Path dir, Map<String, String> environment, List<String> program, List<String> arguments) {
    CarillonProcess started = new CarillonProcess(dir, withPort(environment), program, arguments);
    try {
      started.awaitReady();
      return started;
    } catch (AssertionError e) {
      started.close();
      throw e;
    }
  }

  /** Starts the program and waits until it has logged this. It need not be ready. */
  public static CarillonProcess startUntil(
      Path dir, Map<String, String> environment, List<String> program, String logged) {
    CarillonProcess started = new CarillonProcess(dir, withPort(environment), program, List.of());
    Await.until(
        logged, START, () -> !started.process.isAlive() || started.output().contains(logged));
    return started;
  }

  /**
   * Starts the program without waiting. Requests may be sent after {@link #awaitReady}.
   *
   * @param environment as for {@link #start}
   */
  public static CarillonProcess launch(Path dir, Map<String, String> environment) {
    return new CarillonProcess(dir, withPort(environment), packaged(), List.of());
  }

  /** Runs the program and waits until it exits without intervention. */
  public static Exit run(Path dir, Map<String, String> environment, String... arguments) {
    return run(dir, environment, packaged(), List.of(arguments));
  }

  /** Same as the other {@code run}, but with other arguments for the virtual machine. */
  public static Exit run(
      Path dir, Map<String, String> environment, List<String> program, List<String> arguments) {
    try (CarillonProcess process =
        new CarillonProcess(dir, withPort(environment), program, arguments)) {
      return process.awaitEnd();
    }
  }

  private static Map<String, String> withPort(Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(Map.of("CARILLON_HTTP_PORT", "0"));
    all.putAll(environment);
    return all;
  }

  private static List<String> packaged() {
    return List.of("-jar", jar());
  }

  private static List<String> command(List<String> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    if (isInterruptIgnored()) {
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    String javaHome = System.getProperty("carillon.java.home", System.getProperty("java.home"));
    command.add(Path.of(javaHome, "bin", "java").toString());
    command.add("-Xmx512m");
    command.addAll(program);
    command.addAll(arguments);
    return command;
  }

  /** Returns the path of the packaged program. */
  public static String jar() {
    return Optional.ofNullable(System.getProperty("carillon.jar"))
        .orElseThrow(() -> new IllegalStateException("run by mvn verify, or set carillon.jar"));
  }

  /**
   * Whether this process ignores SIGINT. Shells start background processes with SIGINT ignored, and
   * their children inherit it. A JVM started this way does not end on Ctrl-C.
   */
  private static boolean isInterruptIgnored() {
    try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
      return status
          .filter(line -> line.startsWith("SigIgn:"))
          .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
          .anyMatch(mask -> (mask & IGNORES_INT) != 0);
    } catch (IOException e) {
      return false; // not Linux
    }
  }

  /** Waits until the output says that the program is ready. Fails if the process ends before. */
  public void awaitReady() {
    Await.until(
        "the ready line of Carillon, or its end",
        START,
        () -> !process.isAlive() || READY.matcher(output()).find());
    Matcher ready = READY.matcher(output());
    if (!ready.find()) {
      throw new AssertionError(
          "Carillon ended with exit code "
              + process.exitValue()
              + "; it said:\n"
              + output()
              + errors());
    }
    base = URI.create(ready.group(1));
  }

  /** Returns the URL of the API. */
  public URI base() {
    return base;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the standard output so far. */
  public String output() {
    return read(out);
  }

  /** Returns the standard error so far. */
  public String errors() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the most recent Redis started by the program. */
  public EmbeddedChild redis() {
    MatchResult last =
        REDIS
            .matcher(output())
            .results()
            .reduce((first, second) -> second)
            .orElseThrow(() -> new IllegalStateException("no embedded Redis:\n" + output()));
    return new EmbeddedChild(Long.parseLong(last.group(1)), Path.of(last.group(2)));
  }

  /** Sends a request and waits for the answer. Fails if there is none within three minutes. */
  public HttpResponse<String> send(String method, String path, String body) {
    return sendAsync(method, path, body).join();
  }

  /**
   * Sends a request. The future fails with an IOException when the process ends before it answers.
   */
  public CompletableFuture<HttpResponse<String>> sendAsync(
      String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return HTTP.sendAsync(request, BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path) {
    return send("GET", path, "");
  }

  /** Asks the process to end, as a service manager does (SIGTERM), and waits for its end. */
  public Exit terminate() {
    process.destroy();
    return awaitEnd();
  }

  /** Asks the process to end, as Ctrl-C does (SIGINT), and waits for its end. */
  public Exit interrupt() {
    RedisServer.signal(pid(), "INT");
    return awaitEnd();
  }

  /** Suspends the process (SIGSTOP), as a long garbage collection or a paused machine does. */
  public void pause() {
    RedisServer.signal(pid(), "STOP");
  }

  /** Resumes the process after {@link #pause}. */
  public void resume() {
    RedisServer.signal(pid(), "CONT");
  }

  /** Kills the process (SIGKILL) and waits for its end. Its children may still be running. */
  public Exit kill9() {
    process.destroyForcibly();
    return awaitEnd();
  }

  private Exit awaitEnd() {
    try {
      if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("did not end within " + END + ":\n" + output() + errors());
      }
      return new Exit(process.exitValue(), output(), errors());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Kills the process and waits for its end and that of its Redis. */
  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
    if (REDIS.matcher(output()).find()) {
      EmbeddedChild redis = redis();
      Await.until("the end of the embedded Redis", END, () -> !redis.isRunning());
    }
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
