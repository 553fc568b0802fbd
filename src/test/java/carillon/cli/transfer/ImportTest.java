package carillon.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import carillon.cli.output.Json;
import carillon.support.JobJson;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the import of wrong lines, and into a node that does not answer. */
class ImportTest extends WithCommands {
  @TempDir Path dir;

  private Path file;

  @BeforeEach
  void prepare() {
    file = dir.resolve("jobs.ndjson");
  }

  @Test
  void badLinesAreNamedAndTheOthersImported() throws IOException {
    String good =
        "{\"collection\":\"c\",\"job\":\"a\",\"definition\":"
            + JobJson.get("https://example.org/").json()
            + "}";
    Files.writeString(
        file,
        String.join(
            "\n",
            "{\"collection\":\"c\",\"definition\":{}}",
            "nonsense",
            "",
            "{\"collection\":\"c\",\"job\":\"x\"}",
            "{\"collection\":\"c\",\"job\":\"../x?\",\"definition\":{}}",
            "{\"collection\":\"bad\",\"definition\":{\"state\":\"on\"}}",
            "{\"collection\":\"bad\",\"job\":\"x\",\"definition\":"
                + JobJson.get("https://example.org/").json()
                + "}",
            good));

    Run run = carillon.type("import", file.toString());

    assertEquals(1, run.code());
    run.assertOut(": 2 created, 0 replaced, 0 there already, 5 refused");
    run.assertErr(
        "carillon: line 2: the line is not JSON\n",
        "carillon: line 4: definition: an object is missing\n",
        "carillon: line 5: c/../x?: ",
        "carillon: line 6: collection bad: state: 'on'",
        "carillon: line 7: bad/x: its collection was refused\n");
    assertEquals(1, carillon.type("jobs", "list", "c", "--json").ok().lines().size());
  }

  /** Tests a node that is busy for some answers, and one that stays busy. */
  @Test
  void aNodeThatIsAwayIsWaitedForUntilPatienceEnds() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      lines.append("{\"collection\":\"c\",\"job\":\"j" + i + "\",\"definition\":{}}\n");
    }
    Files.writeString(file, lines);
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger busyFrom = new AtomicInteger(0);
    AtomicInteger busyTo = new AtomicInteger(20);
    ExecutorService executor = Executors.newFixedThreadPool(4);
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.setExecutor(executor);
    node.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          int number = asked.incrementAndGet();
          boolean isBusy = number > busyFrom.get() && number <= busyTo.get();
          exchange.sendResponseHeaders(isBusy ? 503 : 201, -1);
          exchange.close();
        });
    node.start();
    try {
      CarillonCommands other =
          new CarillonCommands("http://127.0.0.1:" + node.getAddress().getPort());

      Run waited = other.type("import", file.toString(), "--concurrency", "8", "--json");
      assertEquals(50, Json.MAPPER.readTree(waited.ok().out()).path("created").asInt());

      busyFrom.set(asked.get() + 10);
      busyTo.set(Integer.MAX_VALUE);
      Run gaveUp = other.type("import", file.toString(), "--concurrency", "1", "--patience", "0");
      assertEquals(3, gaveUp.code());
      assertTrue(
          gaveUp
              .err()
              .startsWith("interrupted; lines up to 10 are done: continue with --from-line 11\n"),
          gaveUp.err());
    } finally {
      node.stop(0);
      executor.shutdown();
    }
  }
}
