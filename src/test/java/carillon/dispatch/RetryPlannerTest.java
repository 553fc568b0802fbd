package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.RetryAdvice;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.StatusSet;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.store.attempt.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPlannerTest {
  private static final Instant DUE = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration CAP = Duration.ofHours(1);
  private static final RetryPolicy.Fixed STANDARD =
      new RetryPolicy.Fixed(Duration.ofSeconds(30), 4, Optional.empty());

  private double random;
  private Duration late = Duration.ZERO;
  private final RetryPlanner planner = new RetryPlanner(STANDARD, CAP, attempt -> random);

  private static Attempt run(Attempt.Phase phase, int attempt) {
    return new Attempt("s/g/c/j", DUE, 1, phase, attempt, 7, 0);
  }

  private static JobDefinition job(RetryPolicy main, RetryPolicy error) {
    HttpCall call = new HttpCall(false, "http://h/", "GET", Map.of(), Optional.empty());
    return new JobDefinition(new Action(call, main), Optional.of(new Action(call, error)));
  }

  private static AttemptResult failed(Instant end) {
    return failed(end, Optional.empty());
  }

  private static AttemptResult failed(Instant end, Optional<Instant> notBefore) {
    return new AttemptResult(
        false,
        DUE,
        end,
        "failed",
        new RetryAdvice(OptionalInt.empty(), false, notBefore),
        HistoryEntry.CallDetail.NONE);
  }

  private Optional<Instant> retry(RetryPolicy policy, int attempt, AttemptResult result) {
    return retry(Attempt.Phase.MAIN, job(policy, RetryPolicy.UNSPECIFIED), attempt, result);
  }

  private Optional<Instant> retry(
      Attempt.Phase phase, JobDefinition job, int attempt, AttemptResult result) {
    return planner
        .plan(run(phase, attempt), job, result, late)
        .following()
        .filter(following -> following.attempt().phase() == phase)
        .map(AttemptOutcome.Following::due);
  }

  private static RetryPolicy.Exponential exponential(double jitter) {
    return new RetryPolicy.Exponential(
        Duration.ofSeconds(2),
        3,
        Duration.ofSeconds(60),
        jitter,
        20,
        Optional.empty(),
        StatusSet.NONE);
  }

  private static RetryPolicy.Exponential bounded(Duration bound) {
    return new RetryPolicy.Exponential(
        Duration.ofSeconds(2),
        3,
        Duration.ofSeconds(60),
        0,
        20,
        Optional.of(bound),
        StatusSet.NONE);
  }

  @Test
  void pausesGrowByTheFactorUpToTheLargest() {
    List<Long> pauses =
        IntStream.rangeClosed(1, 6).mapToObj(n -> exponential(0).pause(n, 0.5).toMillis()).toList();

    assertEquals(List.of(2_000L, 6_000L, 18_000L, 54_000L, 60_000L, 60_000L), pauses);
    assertEquals(60_000, exponential(0).pause(100_000, 0).toMillis());
  }

  @Test
  void jitterShortensAPauseByUpToItsPart() {
    RetryPolicy policy = exponential(0.5);

    assertEquals(Optional.of(DUE.plusMillis(2000)), retry(policy, 1, failed(DUE)));
    random = 1;
    assertEquals(Optional.of(DUE.plusMillis(1000)), retry(policy, 1, failed(DUE)));
  }

  @Test
  void noRetryBeginsAfterTheBound() {
    RetryPolicy policy = bounded(Duration.ofSeconds(10));
    Instant end = DUE.plusSeconds(4);

    assertEquals(Optional.of(DUE.plusSeconds(10)), retry(policy, 2, failed(end)));
    assertEquals(Optional.empty(), retry(policy, 2, failed(end.plusMillis(1))));
  }

  @Test
  void theErrorActionFollowsWhenTheBoundIsPassed() {
    JobDefinition job = job(bounded(Duration.ofSeconds(10)), RetryPolicy.UNSPECIFIED);
    Instant late = DUE.plusSeconds(9);

    AttemptOutcome outcome =
        planner.plan(run(Attempt.Phase.MAIN, 2), job, failed(late), Duration.ZERO);

    assertEquals(
        Optional.of(new AttemptOutcome.Following(run(Attempt.Phase.ERROR, 1), late)),
        outcome.following());
    assertTrue(outcome.exhausted());
  }

  @Test
  void anErrorActionDoesNotInheritTheBound() {
    Instant late = DUE.plusSeconds(3600);
    RetryPolicy bounded = bounded(Duration.ofSeconds(10));

    assertEquals(
        Optional.of(late.plusSeconds(2)),
        retry(Attempt.Phase.ERROR, job(bounded, RetryPolicy.UNSPECIFIED), 1, failed(late)));
    assertEquals(
        Optional.empty(), retry(Attempt.Phase.ERROR, job(STANDARD, bounded), 1, failed(late)));
  }

  @Test
  void aTargetIsNotCalledSoonerThanItAsks() {
    Optional<Instant> asked = Optional.of(DUE.plusSeconds(100));

    assertEquals(asked, retry(STANDARD, 1, failed(DUE, asked)));
  }

  @Test
  void aTargetCannotHurryARetryNorPutItOffForEver() {
    Optional<Instant> sooner = Optional.of(DUE.plusSeconds(1));
    Optional<Instant> never = Optional.of(DUE.plus(Duration.ofDays(1000)));

    assertEquals(Optional.of(DUE.plusSeconds(30)), retry(STANDARD, 1, failed(DUE, sooner)));
    assertEquals(Optional.of(DUE.plus(CAP)), retry(STANDARD, 1, failed(DUE, never)));
  }

  @Test
  void whatIsNotKnownOfTheTimeDoesNotShortenAPause() {
    late = Duration.ofMillis(400);
    Optional<Instant> asked = Optional.of(DUE.plusSeconds(100));

    assertEquals(Optional.of(DUE.plusMillis(30_400)), retry(STANDARD, 1, failed(DUE)));
    assertEquals(Optional.of(DUE.plusMillis(100_400)), retry(STANDARD, 1, failed(DUE, asked)));
    assertEquals(
        Optional.empty(), retry(bounded(Duration.ofSeconds(2)), 1, failed(DUE)), "the bound holds");
  }

  @Test
  void askingForLaterBringsNoMoreAttempts() {
    Optional<Instant> asked = Optional.of(DUE.plusSeconds(100));

    assertEquals(Optional.empty(), retry(STANDARD, 5, failed(DUE, asked)));
    assertEquals(Optional.empty(), retry(RetryPolicy.NONE, 1, failed(DUE, asked)));
  }

  @Test
  void spreadsErrorRetriesOfDifferentJobs() {
    for (Attempt.Phase phase : Attempt.Phase.values()) {
      long different =
          IntStream.range(0, 100)
              .mapToDouble(
                  n -> RetryPlanner.spread(new Attempt("s/g/c/j" + n, DUE, 1, phase, 1, 7, 0)))
              .distinct()
              .count();

      assertEquals(100, different, phase.toString());
    }
  }
}
