package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of occurrences due while no node runs. */
class DowntimeIT extends ProcessTestBase {
  private static final Pattern MISSED =
      Pattern.compile(
          "Not performed: (\\d+) occurrences from (\\S+) were missed; the latest, of (\\S+), runs late");

  @Test
  void theLatestMissedOccurrenceRunsLateAndTheOthersAreRecorded() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1))) {
      Instant start;
      Instant up;
      try (CarillonProcess node = start()) {
        start = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
        node.send("PUT", Jobs.PATH + "tick", Jobs.everySecond(ledger.url("tick"), start));
        Await.until("two occurrences", () -> Jobs.history(node, "tick").size() >= 2);
        node.kill9();
        up = Instant.now().plusSeconds(4);
      }
      int before = ledger.count();
      Await.until("the end of the downtime", () -> Instant.now().isAfter(up));

      try (CarillonProcess node = start()) {
        Await.until("calls again", PATIENCE, () -> ledger.count() >= before + 4);
        // Read before the history: a skipped gap is recorded before the call after it.
        List<Ledger.Call> calls = ledger.calls("tick");
        List<Missed> missed =
            Jobs.history(node, "tick").stream()
                .filter(entry -> entry.get("status").textValue().equals("skipped"))
                .map(entry -> Missed.parse(entry.get("message").textValue()))
                .sorted(Comparator.comparing(Missed::from))
                .toList();

        Missed downtime = Collections.max(missed, Comparator.comparing(Missed::count));
        List<Ledger.Call> late =
            calls.stream().filter(call -> call.expected().equals(downtime.latest())).toList();
        System.out.printf("downtime: %s; late run %s%n", downtime, late);
        assertTrue(downtime.count() >= 2, missed::toString);
        assertEquals(1, late.size(), calls::toString);
        assertEachSecondIsCalledOrSkipped(start, calls, missed);
        // Only the occurrence in flight at the kill, the last before missed ones, may repeat.
        Set<Instant> missedFrom = missed.stream().map(Missed::from).collect(Collectors.toSet());
        assertTrue(
            ledger.repeated().values().stream()
                .flatMap(List::stream)
                .allMatch(call -> missedFrom.contains(call.expected().plusSeconds(1))),
            () -> ledger.repeated().toString());
        assertTrue(ledger.repeated().size() <= 1, () -> ledger.repeated().toString());
      }
    }
  }

  /** Missed occurrences as an entry of the history reports them. */
  private record Missed(int count, Instant from, Instant latest) {
    static Missed parse(String message) {
      Matcher matcher = MISSED.matcher(message);
      assertTrue(matcher.matches(), message);
      Missed missed =
          new Missed(
              Integer.parseInt(matcher.group(1)),
              Instant.parse(matcher.group(2)),
              Instant.parse(matcher.group(3)));
      assertEquals(missed.from.plusSeconds(missed.count), missed.latest, message);
      return missed;
    }
  }

  /**
   * Checks that each occurrence was either called or skipped. Occurrence k is due at start + k
   * seconds.
   */
  private static void assertEachSecondIsCalledOrSkipped(
      Instant start, List<Ledger.Call> calls, List<Missed> missed) {
    TreeSet<Instant> called = new TreeSet<>();
    calls.forEach(call -> called.add(call.expected()));
    List<Instant> accounted = new ArrayList<>(called);
    for (Missed gap : missed) {
      if (gap.latest().compareTo(called.last()) <= 0) {
        IntStream.range(0, gap.count()).forEach(i -> accounted.add(gap.from().plusSeconds(i)));
      }
    }
    accounted.sort(null);
    assertEquals(
        Stream.iterate(start, at -> !at.isAfter(called.last()), at -> at.plusSeconds(1)).toList(),
        accounted);
    assertEquals(
        List.of(),
        calls.stream().filter(call -> call.arrived().isBefore(call.expected())).toList());
  }
}
