package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.JobJson;
import carillon.support.Ledger;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the commands on the page about backups. */
class BackupIT extends ProcessTestBase {
  @Test
  void aCopyOfARunningNodeBringsBackJobsHistoryAndSecrets() throws Exception {
    List<String> commands = PageCommands.of("backup.md");
    Instant tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    try (Ledger target = new Ledger(Duration.ZERO)) {
      String secret =
          JobJson.post(target.url("secret"))
              .request("headers", new JsonObject().put("X-Api-Key", "canary"))
              .startTime(tomorrow)
              .noRetry()
              .json();
      try (CarillonProcess node = start()) {
        assertEquals(201, node.send("PUT", Jobs.PATH + "secret", secret).statusCode());
        node.send("PUT", Jobs.PATH + "done", Jobs.now(target.url("done")));
        Await.until("the call", () -> Jobs.history(node, "done").size() == 1);

        PageCommands.run(dir, commands.get(0));
        node.send("DELETE", Jobs.PATH + "secret", "");
      }
      PageCommands.run(dir, commands.get(1));

      try (CarillonProcess node = start()) {
        assertEquals("completed", Jobs.history(node, "done").get(0).get("status").textValue());
        assertEquals(200, node.get(Jobs.PATH + "secret").statusCode());

        node.send("POST", Jobs.PATH + "secret/run", "");

        Await.until("the call", () -> Jobs.history(node, "secret").size() == 1);
        assertEquals("completed", Jobs.history(node, "secret").get(0).get("status").textValue());
      }
    }
  }
}
