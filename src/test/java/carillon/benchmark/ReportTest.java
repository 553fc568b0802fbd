package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void columnsAreAlignedAndNothingIsADash() {
    List<ResultRow> figures =
        List.of(
            ResultRow.of("herd: calls/s", 10_107.4)
                .besides(Optional.of(16_666.0))
                .aimingAt(ResultRow.Goal.share(0.15)),
            ResultRow.of("lateness, ms", 44.61).aimingAt(ResultRow.Goal.below(20)),
            ResultRow.none("missing", 0),
            ResultRow.of("p50, ms", 1.938));

    assertEquals(
        List.of(
            "figure          value  ceiling  ratio   target  met",
            "---------------------------------------------------",
            "herd: calls/s  10,107   16,666   61 %  >= 15 %  yes",
            "lateness, ms     44.6        -      -     < 20   NO",
            "missing             0        -      -        0  yes",
            "p50, ms          1.94        -      -        -    -"),
        new Report(Map.of(), figures).text().lines().skip(1).toList());
  }

  @Test
  void aShareOfACeilingThatWasNotMeasuredIsNotJudged() {
    ResultRow figure = ResultRow.of("accepted", 5).aimingAt(ResultRow.Goal.share(0.5));

    assertEquals(Optional.empty(), figure.met());
  }

  @Test
  void limitsAreMetAsTheySay() {
    assertEquals(
        Optional.of(false), ResultRow.of("late", 20).aimingAt(ResultRow.Goal.below(20)).met());
    assertEquals(
        Optional.of(true), ResultRow.of("bytes", 1000).aimingAt(ResultRow.Goal.atMost(1000)).met());
    assertEquals(
        Optional.of(true),
        ResultRow.of("rate", 50)
            .besides(Optional.of(100.0))
            .aimingAt(ResultRow.Goal.share(0.5))
            .met());
  }

  @Test
  void aSmokeTestKeepsOnlyTheGuarantees() {
    assertEquals(
        Optional.empty(),
        ResultRow.of("late", 21).aimingAt(ResultRow.Goal.below(20)).unjudged().met());
    assertEquals(Optional.of(false), ResultRow.none("missing", 1).unjudged().met());
  }

  @Test
  void onlyWhatIsCountedCanBeMissedOnEveryMachine() {
    ResultRow counted = ResultRow.of("commands", 9).aimingAt(ResultRow.Goal.counted(8.2));
    ResultRow timed = ResultRow.of("late", 21).aimingAt(ResultRow.Goal.below(20));
    ResultRow held = ResultRow.of("commands", 8).aimingAt(ResultRow.Goal.counted(8.2));

    assertEquals(
        List.of(counted),
        new Report(Map.of(), List.of(counted, timed, held, ResultRow.of("n", 1)))
            .missedEverywhere());
  }

  @Test
  void theReportIsJsonAsWell() {
    Report report =
        new Report(
            Map.of("JVM", "17"),
            List.of(
                ResultRow.of("n", 1)
                    .besides(Optional.of(2.0))
                    .aimingAt(ResultRow.Goal.share(0.5))));

    assertEquals(
        "{\"facts\":{\"JVM\":\"17\"},\"figures\":[{\"name\":\"n\",\"value\":1.0,\"ceiling\":2.0,\"ratio\":0.5,"
            + "\"target\":\">=50%\",\"met\":true}]}",
        report.json().replaceAll("\\s", ""));
  }
}
