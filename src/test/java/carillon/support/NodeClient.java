package carillon.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A client of another make that runs on Node.js, or one in Python. It lives in {@code
 * src/test/clients/<name>}: a {@code package.json}, its lock file, and a {@code main.js} that takes
 * arguments and prints one line of JSON for each operation. Where Node.js or the packages are
 * missing ({@code npm ci} in that directory installs them, as {@code .ci/run} does), the test that
 * asks for the client is skipped and says so.
 */
public final class NodeClient {
  private static final Path CLIENTS = Path.of("src/test/clients");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path dir;
  private final List<String> program;

  private NodeClient(Path dir, String... program) {
    this.dir = dir;
    this.program = List.of(program);
  }

  /**
   * The client in Python that {@code openapi.yaml} is made into: it needs packages of Debian and
   * the generator's jar, which {@code .ci/run} installs.
   */
  public static NodeClient requirePython() {
    Path dir = CLIENTS.resolve("python");
    assumeTrue(
        Files.isRegularFile(dir.resolve("lib/openapi-generator-cli.jar"))
            && Files.isExecutable(Path.of("/usr/bin/mypy"))
            && Files.isDirectory(Path.of("/usr/lib/python3/dist-packages/pydantic")),
        "install what .ci/run does for src/test/clients/python");
    return new NodeClient(dir, "/usr/bin/python3", "main.py");
  }

  /** The client of that name, or the end of the test that asks. */
  public static NodeClient require(String name) {
    NodeClient client = withoutPackages(name);
    assumeTrue(
        Files.isDirectory(client.dir.resolve("node_modules")),
        () -> "run 'npm ci' in " + client.dir + " to install the client");
    return client;
  }

  /** The same for one that needs no packages. */
  public static NodeClient withoutPackages(String name) {
    assumeTrue(isOnPath("node"), "node is not on the PATH");
    return new NodeClient(CLIENTS.resolve(name), "node", "main.js");
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
  }

  /**
   * Runs the program to its end and parses what it printed, line by line. Fails when it takes
   * longer than the patience or ends with another exit code than 0.
   */
  public List<JsonNode> run(Duration patience, String... arguments) {
    Path out = temporary(".out");
    Path err = temporary(".err");
    try {
      Process process = start(out, err, arguments);
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      process.destroyForcibly();
      if (!ended || process.exitValue() != 0) {
        String said = Files.readString(out) + Files.readString(err);
        throw new AssertionError(
            ended
                ? "exit code " + process.exitValue() + ":\n" + said
                : "no end within " + patience + ":\n" + said);
      }
      return parse(Files.readAllLines(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      delete(out);
      delete(err);
    }
  }

  private Process start(Path out, Path err, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(dir.toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  private static List<JsonNode> parse(List<String> lines) throws IOException {
    List<JsonNode> parsed = new ArrayList<>();
    for (String line : lines) {
      parsed.add(JSON.readTree(line));
    }
    return parsed;
  }

  private static Path temporary(String suffix) {
    try {
      return Files.createTempFile("carillon-node-", suffix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
