package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Occurrences that fall into a time when nothing runs. */
class DowntimeIT {
  private static final Pattern MISSED =
      Pattern.compile(
          "Not performed: (\\d+) occurrences from (\\S+) were missed; the latest, of (\\S+), runs late");

  @TempDir Path dir;

  @Test
  void theLatestMissedOccurrenceRunsLateAndTheOthersAreRecorded() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1))) {
      Instant start;
      Instant up;
      try (CarillonProcess node = CarillonProcess.start(dir, Map.of())) {
        start = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
        node.send("PUT", Jobs.PATH + "tick", Jobs.everySecond(ledger.url("tick"), start));
        Await.until("two occurrences", () -> Jobs.history(node, "tick").size() >= 2);
        node.kill9();
        up = Instant.now().plusSeconds(4);
      }
      int before = ledger.count();
      Await.until("the end of the downtime", () -> Instant.now().isAfter(up));

      try (CarillonProcess node = CarillonProcess.start(dir, Map.of())) {
        Await.until("calls again", () -> ledger.count() >= before + 4);
        JsonNode skipped =
            Jobs.history(node, "tick").stream()
                .filter(entry -> entry.get("status").textValue().equals("skipped"))
                .reduce((newer, older) -> older)
                .orElseThrow();
        int entries = Jobs.history(node, "tick").size();

        List<Ledger.Call> calls = ledger.calls("tick");
        Instant lastBefore = calls.get(before - 1).expected();
        Instant late = calls.get(before).expected();
        Matcher missed = MISSED.matcher(skipped.get("message").textValue());
        assertTrue(missed.matches(), skipped::toString);
        // The oracle: occurrence k is at start + k seconds.
        assertEquals(
            lastBefore.until(late, ChronoUnit.SECONDS) - 1, Long.parseLong(missed.group(1)));
        assertEquals(lastBefore.plusSeconds(1), Instant.parse(missed.group(2)));
        assertEquals(late, Instant.parse(missed.group(3)));
        assertTrue(late.until(calls.get(before).arrived(), ChronoUnit.MILLIS) < 3000);
        assertOnGrid(start, calls);
        assertEquals(Map.of(), ledger.repeated());
        assertTrue(
            calls.stream().skip(before + 1).anyMatch(call -> call.lateness().toMillis() < 500),
            calls::toString);
        System.out.printf(
            "downtime: %s; %d entries in the history; late run %d ms after its instant%n",
            skipped.get("message").textValue(), entries, calls.get(before).lateness().toMillis());
      }
    }
  }

  /** Each call is for another occurrence, in order, and none came before it. */
  private static void assertOnGrid(Instant start, List<Ledger.Call> calls) {
    TreeMap<Instant, Ledger.Call> byInstant = new TreeMap<>();
    calls.forEach(call -> byInstant.put(call.expected(), call));
    assertEquals(calls, List.copyOf(byInstant.values()));
    calls.forEach(
        call -> {
          assertEquals(0, Duration.between(start, call.expected()).toMillis() % 1000);
          assertTrue(!call.arrived().isBefore(call.expected()), call::toString);
        });
  }
}
