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
 * A client by others that runs on Node.js, or one in Python. Its folder {@code
 * src/test/clients/<name>} has a {@code package.json}, its lock file, and a {@code main.js}. The
 * latter takes arguments and prints one line of JSON for each operation. {@code npm ci} in the
 * folder installs the packages, as {@code .ci/run} does. If they or Node.js are missing, the
 * calling test is skipped with a message.
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
   * Returns the Python client generated from {@code openapi.yaml}. It needs packages of Debian and
   * the jar of the generator. Both are installed by {@code .ci/run}.
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

  /** Returns the client of that name, or skips the calling test. */
  public static NodeClient require(String name) {
    NodeClient client = withoutPackages(name);
    assumeTrue(
        Files.isDirectory(client.dir.resolve("node_modules")),
        () -> "run 'npm ci' in " + client.dir + " to install the client");
    return client;
  }

  /** Same as {@link #require}, for a client that needs no packages. */
  public static NodeClient withoutPackages(String name) {
    assumeTrue(isOnPath("node"), "node is not on the PATH");
    return new NodeClient(CLIENTS.resolve(name), "node", "main.js");
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
  }

  /**
   * Runs the program to its end and parses its output, line by line. Fails if it exceeds the
   * patience or exits with a code other than 0.
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
