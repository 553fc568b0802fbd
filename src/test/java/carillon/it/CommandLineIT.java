package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of a command of the packaged program, next to a node with the same environment. */
class CommandLineIT extends ProcessTestBase {

  @Test
  void aCommandFindsTheNodeByTheEnvironmentAndWritesUtf8InAnyLocale() {
    Instant later = Instant.parse("2030-01-01T00:00:00Z");
    Map<String, String> poor = Map.of("LC_ALL", "C", "CARILLON_URL", "http://127.0.0.1:1");
    try (CarillonProcess node = start(poor)) {
      node.send("PUT", Jobs.PATH + "j", Jobs.once("http://127.0.0.1:9/", later));
      node.send("PUT", "/jobcollections/default", "{\"tags\":{\"team\":\"Köln\"}}");

      CarillonProcess.Exit export =
          run(Map.of("LC_ALL", "C", "CARILLON_URL", node.base().toString()), "export");

      assertEquals(0, export.code(), () -> export.out() + export.err());
      assertTrue(export.out().contains("{\"team\":\"Köln\"}"), export.out());
      assertTrue(export.out().contains("\"job\":\"j\""), export.out());
    }
  }

  @Test
  void aKeyThatTheEnvironmentGivesForItsServerGoesToNoOther() {
    try (CallbackServer other = new CallbackServer()) {
      Path contexts = dir.resolve("contexts.yaml");
      Map<String, String> own =
          Map.of("CARILLON_CONTEXT_FILE", contexts.toString(), "CARILLON_KEY", "canary-key");
      Map<String, String> elsewhere = new HashMap<>(own);
      elsewhere.put("CARILLON_URL", "http://127.0.0.1:1");
      run(own, "context", "set", "other", "--url", other.url(""));

      run(elsewhere, "--context", "other", "nodes");
      run(own, "--context", "other", "nodes");

      assertEquals(
          List.of("", "Bearer canary-key"),
          other.calls().stream()
              .map(call -> call.headers().getOrDefault("Authorization", ""))
              .toList());
    }
  }
}
