package carillon.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Carillon for a test: a separate process with an embedded Redis, a separate directory, a free
 * port, and a virtual clock. Only {@link #advance} moves the clock. A year passes in seconds,
 * always with the same result.
 *
 * <pre>
 * try (CarillonServer carillon = CarillonServer.startAt(Instant.parse("2027-03-27T00:00:00Z"))) {
 *   carillon.putJob("nightly", "{...}");
 *   carillon.advance(Duration.ofDays(2));
 *   // ... Check the calls of the target.
 * }
 * </pre>
 *
 * <p>Jobs may call loopback addresses. All methods block; thread-safe. The process ends with {@link
 * #close}, or at the latest with this JVM.
 */
public final class CarillonServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final Duration ANSWER = Duration.ofMinutes(10);
  private static final Pattern READY = Pattern.compile("listening on (https?://\\S+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final Path dir;
  private final Path log;
  private final Thread hook;
  private final URI url;

  private CarillonServer(Path jar, Instant now) throws IOException {
    dir = Files.createTempDirectory("carillon-test-");
    log = dir.resolve("carillon.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toAbsolutePath().toString(),
                "serve",
                "--virtual-time=" + now)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CARILLON_"));
    builder.environment().put("CARILLON_HTTP_PORT", "0");
    process = builder.start();
    hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    url = awaitReady();
  }

  /** Starts the program that contains this class, with the clock at the present time. */
  public static CarillonServer start() {
    return startAt(InstantSource.system().instant());
  }

  /** Starts the program that contains this class, with the clock at an instant. */
  public static CarillonServer startAt(Instant now) {
    try {
      URI place = CarillonServer.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return start(Path.of(place), now);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("where this class is cannot be told", e);
    }
  }

  /**
   * Starts a program.
   *
   * @param jar {@code carillon.jar}
   * @param now initial time of the clock
   * @throws IllegalStateException if it does not start within a minute, with its log
   */
  public static CarillonServer start(Path jar, Instant now) {
    try {
      return new CarillonServer(jar, now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private URI awaitReady() {
    long end = System.nanoTime() + START.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      Matcher ready = READY.matcher(log());
      if (ready.find()) {
        return URI.create(ready.group(1));
      }
      sleep(20);
    }
    String said = log();
    close();
    throw new IllegalStateException("Carillon did not start; it said:\n" + said);
  }

  /** The address of the API. */
  public URI url() {
    return url;
  }

  /** The whole log. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Creates or replaces a job in the collection {@code default}, which exists from the start.
   *
   * @param job the definition as JSON
   * @return the job as JSON
   * @throws IllegalStateException if it is refused, with the answer
   */
  public String putJob(String name, String job) {
    return accepted(send("PUT", "/jobcollections/default/jobs/" + name, job));
  }

  /**
   * Sets the clock forward. Returns when everything due until then has been performed.
   *
   * @return the answer as JSON: {@code now}, {@code attempts}, {@code skipped}, and the {@code log}
   *     of every attempt
   */
  public String advance(Duration by) {
    return accepted(send("POST", "/clock/advance", "{\"by\":\"" + by + "\"}"));
  }

  /** Sets the clock forward to an instant, as {@link #advance} does. */
  public String advanceTo(Instant to) {
    return accepted(send("POST", "/clock/advance", "{\"to\":\"" + to + "\"}"));
  }

  private static String accepted(HttpResponse<String> response) {
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  /**
   * Sends a request to the API.
   *
   * @param path with a slash in front
   * @param body empty for none
   */
  public HttpResponse<String> send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body, StandardCharsets.UTF_8))
            .build();
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Ends the process and deletes its directory. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    removeHook();
    delete();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook runs, and finds nothing to do.
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(dir)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Remaining files of a temporary directory are no reason for a test to fail.
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
