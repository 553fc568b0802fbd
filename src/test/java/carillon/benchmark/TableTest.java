package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void columnsAreAlignedAndNothingIsADash() {
    List<Figure> figures =
        List.of(
            Figure.of("herd: calls/s", 10_107.4)
                .besides(Optional.of(16_666.0))
                .aimingAt(new Figure.ShareOfCeiling(0.15)),
            Figure.of("lateness, ms", 44.61).aimingAt(new Figure.Below(20)),
            Figure.of("missing", 0).aimingAt(Figure.NONE),
            Figure.of("p50, ms", 1.938));

    assertEquals(
        List.of(
            "figure          value  ceiling  ratio   target  met",
            "---------------------------------------------------",
            "herd: calls/s  10,107   16,666   61 %  >= 15 %  yes",
            "lateness, ms     44.6        -      -     < 20   NO",
            "missing             0        -      -        0  yes",
            "p50, ms          1.94        -      -        -    -"),
        Table.of(figures).lines());
  }

  @Test
  void aShareOfACeilingThatWasNotMeasuredIsNotJudged() {
    Figure figure = Figure.of("accepted", 5).aimingAt(new Figure.ShareOfCeiling(0.5));

    assertEquals(Optional.empty(), figure.met());
  }

  @Test
  void limitsAreMetAsTheySay() {
    assertEquals(Optional.of(false), Figure.of("late", 20).aimingAt(new Figure.Below(20)).met());
    assertEquals(
        Optional.of(true), Figure.of("bytes", 1000).aimingAt(new Figure.AtMost(1000)).met());
    assertEquals(
        Optional.of(true),
        Figure.of("rate", 50)
            .besides(Optional.of(100.0))
            .aimingAt(new Figure.ShareOfCeiling(0.5))
            .met());
  }

  @Test
  void aSmokeTestKeepsOnlyTheGuarantees() {
    assertEquals(
        Optional.empty(), Figure.of("late", 21).aimingAt(new Figure.Below(20)).unjudged().met());
    assertEquals(
        Optional.of(false), Figure.of("missing", 1).aimingAt(Figure.NONE).unjudged().met());
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Table("a", "b").add("c"));
  }

  @Test
  void theReportIsJsonAsWell() {
    Report report =
        new Report(
            Map.of("JVM", "17"),
            List.of(
                Figure.of("n", 1)
                    .besides(Optional.of(2.0))
                    .aimingAt(new Figure.ShareOfCeiling(0.5))));

    assertEquals(
        "{\"facts\":{\"JVM\":\"17\"},\"figures\":[{\"name\":\"n\",\"value\":1.0,\"ceiling\":2.0,\"ratio\":0.5,"
            + "\"target\":\">=50%\",\"met\":true}]}",
        report.json().replaceAll("\\s", ""));
  }
}
