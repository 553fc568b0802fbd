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
 * Carillon as it is run: the packaged program in a process of its own. The system property {@code
 * carillon.jar} says where it is, {@code carillon.java.home} which JDK runs it if not that of the
 * tests. It ends with {@link #close} at the latest, or with this JVM.
 */
public final class CarillonProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("listening on (http://\\S+)\\s");
  private static final Pattern REDIS =
      Pattern.compile("embedded Redis started redisPid=\"(\\d+)\".*socket=\"([^\"]+)\"");
  private static final long IGNORES_INT = 1L << 1; // bit 1 of a mask of signals is signal 2

  /** For all processes; nobody waits longer for an answer than a test's patience. */
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private final Process process;
  private final Path out;
  private final Path err;
  private final Thread hook;
  private URI base;

  /** How a process ended, and all that it wrote. */
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
   * Starts it and waits for the line that says that it is ready.
   *
   * @param dir to run in; {@code data} is made there
   * @param environment beside what this process has; the port is any free one unless it says
   *     otherwise
   */
  public static CarillonProcess start(
      Path dir, Map<String, String> environment, String... arguments) {
    return start(dir, environment, packaged(), List.of(arguments));
  }

  /**
   * The same, run by the virtual machine in another way.
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

  /** Starts it and waits until it has logged this; it need not be ready. */
  public static CarillonProcess startUntil(
      Path dir, Map<String, String> environment, List<String> program, String logged) {
    CarillonProcess started = new CarillonProcess(dir, withPort(environment), program, List.of());
    Await.until(
        logged, START, () -> !started.process.isAlive() || started.output().contains(logged));
    return started;
  }

  /**
   * Starts it and waits for nothing; requests may be sent after {@link #awaitReady}.
   *
   * @param environment as of {@link #start}
   */
  public static CarillonProcess launch(Path dir, Map<String, String> environment) {
    return new CarillonProcess(dir, withPort(environment), packaged(), List.of());
  }

  /** Runs it until it ends by itself. */
  public static Exit run(Path dir, Map<String, String> environment, String... arguments) {
    return run(dir, environment, packaged(), List.of(arguments));
  }

  /** The same, run by the virtual machine in another way. */
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

  /** Where the packaged program is. */
  public static String jar() {
    return Optional.ofNullable(System.getProperty("carillon.jar"))
        .orElseThrow(() -> new IllegalStateException("run by mvn verify, or set carillon.jar"));
  }

  /**
   * A shell starts what it runs in the background with SIGINT ignored, children inherit that, and a
   * JVM that finds it so does not end by Ctrl-C.
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

  /** Waits for the line that says that it is ready; fails when it ends before. */
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

  /** Where its API is. */
  public URI base() {
    return base;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Everything on standard output so far. */
  public String output() {
    return read(out);
  }

  /** Everything on standard error so far. */
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

  /** The Redis that it started last. */
  public EmbeddedChild redis() {
    MatchResult last =
        REDIS
            .matcher(output())
            .results()
            .reduce((first, second) -> second)
            .orElseThrow(() -> new IllegalStateException("no embedded Redis:\n" + output()));
    return new EmbeddedChild(Long.parseLong(last.group(1)), Path.of(last.group(2)));
  }

  /** Sends a request and waits for the answer; fails when there is none within a minute. */
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

  /** Asks it to end, as a service manager does (SIGTERM), and waits until it has. */
  public Exit terminate() {
    process.destroy();
    return awaitEnd();
  }

  /** Asks it to end, as Ctrl-C does (SIGINT), and waits until it has. */
  public Exit interrupt() {
    RedisServer.signal(pid(), "INT");
    return awaitEnd();
  }

  /** Stops it where it is (SIGSTOP), as a long collection of garbage or a paused machine does. */
  public void pause() {
    RedisServer.signal(pid(), "STOP");
  }

  /** Lets it go on after {@link #pause}. */
  public void resume() {
    RedisServer.signal(pid(), "CONT");
  }

  /** Kills it (SIGKILL) and waits until it is gone; what it started may still be ending. */
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

  /** Ends it, however, and its Redis with it. */
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
