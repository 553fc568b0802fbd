package carillon.dispatch.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.Attempt;
import io.vertx.core.MultiMap;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Test of the headers that identify a call to its target. */
class ExecutionHeadersTest {
  private static MultiMap headers(String group, boolean isAzure) {
    Attempt attempt =
        new Attempt(
            group + "/orders/nightly",
            Instant.parse("2026-11-20T18:00:00Z"),
            4,
            Attempt.Phase.MAIN,
            2,
            1,
            0);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    new ExecutionHeaders("Carillon/1", "west", false, isAzure)
        .addTo(headers, attempt, "Orders/Nightly");
    return headers;
  }

  @Test
  void aCallTellsWhoseItIs() {
    MultiMap headers = headers("default/default", false);

    assertEquals("Nightly", headers.get("Carillon-Job"));
    assertEquals("Orders", headers.get("Carillon-Collection"));
    assertEquals("2", headers.get("Carillon-Attempt"));
    assertEquals("2026-11-20T18:00:00Z", headers.get("Carillon-Scheduled-At"));
    assertEquals("west", headers.get("Carillon-Region"));
    assertEquals(headers.get("Idempotency-Key"), headers.get("Carillon-Execution-Id"));
    assertTrue(headers.names().stream().noneMatch(name -> name.startsWith("x-ms-")));
    assertNull(headers.get("Carillon-Clock"));
  }

  @Test
  void jobsOfOtherGroupsCarryTheHeadersOfAzure() {
    MultiMap headers = headers("s/default", false);

    assertEquals("Nightly", headers.get("x-ms-scheduler-jobid"));
    assertEquals("Nightly", headers.get("Carillon-Job"));
    assertEquals("west", headers.get("x-ms-scheduler-execution-region"));
    assertEquals(headers.names(), headers("default/default", true).names());
  }
}
