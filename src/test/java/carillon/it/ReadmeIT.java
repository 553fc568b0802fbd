package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

/**
 * Test of the commands in README. They work as printed, in sequence, and leave no process running.
 */
class ReadmeIT extends ProcessTestBase {
  private static final String START = "mvn -q compile exec:java ";

  /** Replaces the build, which takes minutes, by a copy of the program built for the tests. */
  private static final String BEFORE =
      """
      mvn() { mkdir -p target; cp '%s' target/carillon.jar; }
      export CARILLON_URL=http://127.0.0.1:8080
      curl() { if [ "$1" = -sf ]; then command curl "$@"; else command curl -sS --fail-with-body "$@"; fi; }
      """;

  private static final String STARTED =
      """
      mvn -q package
      CARILLON_HTTP_PORT=8080 java -jar target/carillon.jar & node=$!
      trap 'kill $node' EXIT
      until curl -sf http://127.0.0.1:8080/health/ready > /dev/null; do kill -0 $node; sleep 1; done
      """;

  private static final String AFTER =
      """
      sleep 1
      [ "$(jobs -pr)" = "$node" ]
      curl http://127.0.0.1:8080/jobcollections/default/jobs/hello | grep '"executionCount":3'
      """;

  @Test
  void everyCommandWorksInOrder() throws Exception {
    List<String> blocks = PageCommands.of("../../README.md");
    assertTrue(blocks.get(0).startsWith(START), blocks.get(0));
    assertEquals("mvn verify", blocks.get(blocks.size() - 1).split(" {2}", 2)[0]);
    String page = String.join("\n", blocks.subList(0, blocks.size() - 1));
    String commands =
        BEFORE.formatted(System.getProperty("carillon.jar"))
            + page.replaceFirst("(?m)^" + START + " .*\n", Matcher.quoteReplacement(STARTED))
            + AFTER;

    PageCommands.run(dir, withFreePorts(commands));
  }

  private static String withFreePorts(String commands) throws IOException {
    String moved = commands;
    for (String port : List.of("8080", "8081", "9000")) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        moved = moved.replaceAll("\\b" + port + "\\b", Integer.toString(free.getLocalPort()));
      }
    }
    return moved;
  }
}
