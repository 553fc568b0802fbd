package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.OccurrencePolicy.Overlap.Rule;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore.Begun;
import carillon.store.attempt.AttemptStore.Finished;
import carillon.store.attempt.AttemptStore.Scheduled;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import carillon.support.Engine;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Walk over executions of a job that must not overlap, beside a simple interpreter of the policy.
 * The job is due each minute. Its steps are performed in Redis at random, while calls last, fail
 * and are repeated, answers are lost, nodes die and clients change the job.
 */
class OverlapWalkTest extends EngineFixture {
  private static final int WALKS = 25;
  private static final int STEPS = 60;

  private Walk walk;

  /** State of an execution that has not ended. */
  private enum State {
    /** A node makes the execution's call. */
    CALLING,
    /** The node that made the call died. */
    CRASHED,
    /** The next attempt waits. */
    WAITING
  }

  /** Single job, its real events, and the view of the interpreter. */
  private final class Walk {
    private final Random random;
    private final Overlap overlap;
    private final String definition;
    private final int partition = Engine.KEYS.partition(Engine.name("j").key());
    private final Map<String, State> open = new LinkedHashMap<>();
    private final TreeMap<Instant, Attempt> buffered = new TreeMap<>();
    private final List<Claim> calls = new ArrayList<>();
    private final List<Instant> begun = new ArrayList<>();
    private final List<Instant> skipped = new ArrayList<>();
    private final List<Instant> changed = new ArrayList<>();
    private boolean isFaulty = true;
    private long revision;

    Walk(long seed, Overlap overlap) {
      this.random = new Random(seed);
      this.overlap = overlap;
      this.definition =
          job("2026-11-20T12:01:00Z")
              .noRetry()
              .every("minute")
              .with("overlap", overlap.rule().word())
              .json()
              .replaceFirst(
                  "}$",
                  overlap.rule() == Rule.BUFFER_ALL
                      ? ",\"bufferMax\":" + overlap.room() + "}"
                      : "}");
      put();
    }

    void put() {
      clock.set(clock.instant().plusMillis(1));
      revision = engine.put("j", definition).revision();
      buffered.clear(); // they end as changed
    }

    private static String id(Attempt attempt) {
      return attempt.dueAt() + " " + attempt.revision();
    }

    /** Whether another execution prevents this one from beginning. */
    private boolean isBusy(Attempt attempt) {
      return open.entrySet().stream()
          .anyMatch(
              other ->
                  !other.getKey().equals(id(attempt))
                      && (other.getValue() != State.WAITING
                          || other.getKey().endsWith(" " + revision)));
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> clock.set(clock.instant().plusSeconds(10 + random.nextInt(80)));
        case 3, 4, 5, 6 -> claim(1 + random.nextInt(3));
        case 7, 8, 9 -> endOne();
        case 10 -> {
          if (random.nextInt(3) == 0) {
            crash();
          }
        }
        default -> {
          if (random.nextInt(6) == 0) {
            put();
          } else if (random.nextInt(4) == 0) {
            engine.requestExecution("j");
          }
        }
      }
      check();
    }

    private void check() {
      long atOnce = calls.stream().filter(call -> !call.attempt().isRequested()).count();
      assertTrue(atOnce <= 1, () -> "at once: " + calls);
    }

    void claim(int limit) {
      Instant now = clock.instant();
      List<ClaimedAttempt> claimed =
          engine
              .stores(s -> s.attempt().claims().claim(partition, now.toEpochMilli(), now, limit))
              .attempts();
      claimed.forEach(this::carryOut);
    }

    private void carryOut(ClaimedAttempt claimed) {
      Claim claim = claimed.claim();
      Attempt attempt = claim.attempt();
      ClaimedAttempt.Job found = claimed.job().orElseThrow();
      if (attempt.revision() != found.revision()) {
        end(claim, Reason.CHANGED);
        changed.add(attempt.dueAt());
      } else if (attempt.isFirst()
          && !attempt.isRequested()
          && found.next().filter(attempt.dueAt()::equals).isPresent()) {
        schedule(claim);
      } else {
        begin(claim);
      }
    }

    private void schedule(Claim claim) {
      Attempt attempt = claim.attempt();
      Scheduled expected =
          !isBusy(attempt)
              ? Scheduled.SCHEDULED
              : buffered.size() < overlap.room() ? Scheduled.BUFFERED : Scheduled.OVERLAP;
      Scheduled judged = scheduleNext(claim);
      assertEquals(expected, judged, () -> id(attempt) + " beside " + open + ", " + buffered);
      if (isFaulty && random.nextInt(4) == 0) { // the answer is lost
        assertEquals(
            switch (judged) {
              case SCHEDULED -> Scheduled.STALE;
              case OVERLAP -> Scheduled.STALE_OVERLAP;
              default -> Scheduled.LOST;
            },
            scheduleNext(claim));
      }
      switch (judged) {
        case SCHEDULED -> {
          calls.add(claim);
          open.put(id(attempt), State.CALLING);
          begun.add(attempt.dueAt());
        }
        case BUFFERED -> buffered.put(attempt.dueAt(), attempt);
        default -> {
          if (!isFaulty || random.nextInt(5) > 0) { // else the node dies before
            end(claim, Reason.OVERLAP);
            skipped.add(attempt.dueAt());
          }
        }
      }
    }

    private Scheduled scheduleNext(Claim claim) {
      NextOccurrence following =
          OverlapTest.following(claim, claim.attempt().dueAt().plusSeconds(60));
      return engine.stores(
          s -> s.attempt().attempts().scheduleNext(claim, following, Optional.of(overlap)));
    }

    private void begin(Claim claim) {
      Attempt attempt = claim.attempt();
      boolean isLetThrough =
          !attempt.isFirst() || attempt.isRequested() || open.containsKey(id(attempt));
      Begun word = engine.stores(s -> s.attempt().attempts().begin(claim));
      assertEquals(isLetThrough ? Begun.BEGUN : Begun.OVERLAP, word, () -> id(attempt) + open);
      if (word == Begun.OVERLAP) {
        end(claim, Reason.OVERLAP);
        skipped.add(attempt.dueAt());
        return;
      }
      if (attempt.isFirst() && open.get(id(attempt)) == State.WAITING) {
        begun.add(attempt.dueAt());
      }
      open.put(id(attempt), State.CALLING);
      calls.add(claim);
    }

    void endOne() {
      if (!calls.isEmpty()) {
        Claim claim = calls.remove(random.nextInt(calls.size()));
        Attempt attempt = claim.attempt();
        boolean fails = attempt.number() < 4 && random.nextInt(3) == 0;
        finish(claim, fails ? Optional.of(attempt.retry()) : Optional.empty(), Optional.empty());
      }
    }

    private void end(Claim claim, Reason reason) {
      finish(claim, Optional.empty(), Optional.of(reason));
    }

    private void finish(Claim claim, Optional<Attempt> retry, Optional<Reason> reason) {
      Attempt attempt = claim.attempt();
      Instant now = clock.instant();
      HistoryEntry entry =
          reason.isPresent()
              ? HistoryEntry.skipped(attempt, now, reason.get(), "")
              : entry(attempt, retry.isPresent(), now);
      AttemptOutcome outcome =
          new AttemptOutcome(
              entry,
              retry.map(
                  next -> new AttemptOutcome.Following(next, now.plusSeconds(random.nextInt(200)))),
              false,
              Optional.empty(),
              OptionalInt.empty(),
              true);
      Finished word = engine.finish(claim, outcome);
      if (retry.isPresent() && attempt.revision() == revision) {
        open.put(id(attempt), State.WAITING);
        return;
      }
      open.remove(id(attempt));
      boolean releases = !buffered.isEmpty() && !isBusy(attempt);
      if (releases) {
        open.put(id(buffered.pollFirstEntry().getValue()), State.WAITING);
      }
      assertTrue(!releases || word == Finished.RELEASED, () -> word + " " + open);
      if (isFaulty && random.nextInt(5) == 0) { // the answer is lost
        assertEquals(Finished.DONE, engine.finish(claim, outcome));
      }
    }

    private HistoryEntry entry(Attempt attempt, boolean fails, Instant now) {
      return HistoryEntry.of(
          attempt,
          now,
          now,
          fails ? HistoryEntry.Status.FAILED : HistoryEntry.Status.COMPLETED,
          now + " " + random.nextInt());
    }

    void crash() {
      calls.forEach(call -> open.put(id(call.attempt()), State.CRASHED));
      calls.clear();
      engine.stores(s -> s.attempt().claims().recover(partition, "node", clock.instant()));
    }

    /** Runs until only the next scheduled occurrence is left. */
    void drain() {
      crash(); // unreported attempts of a dead node wait again
      for (int i = 0; i < 2000 && !(calls.isEmpty() && open.isEmpty() && waiting() == 0); i++) {
        if (calls.isEmpty()) {
          claimRuns();
          clock.set(clock.instant().plusSeconds(20));
        } else {
          Claim claim = calls.remove(0);
          finish(claim, Optional.empty(), Optional.empty());
        }
        check();
      }
    }

    /** Claims all waiting attempts except the next occurrence, which is deferred for long. */
    private void claimRuns() {
      engine.redis(Command.ZADD, due(), "XX", "99999999999999", "job:" + Engine.name("j").key());
      claim(10);
    }

    private String due() {
      return "carillon:{" + partition + "}:due";
    }

    private long waiting() {
      return engine.due().stream().filter(entry -> entry.startsWith("run:")).count();
    }
  }

  private Walk walk(long seed, Rule rule) {
    redis().flush();
    clock.set(NOON);
    Overlap overlap =
        rule == Rule.BUFFER_ALL ? new Overlap(rule, 1 + (int) (seed % 4)) : new Overlap(rule);
    return new Walk(seed, overlap);
  }

  private void assertNothingIsLeft(long seed) {
    String slot = "carillon:{" + walk.partition + "}:";
    assertEquals(
        0,
        engine
            .redis(
                Command.EXISTS,
                slot + "executions:" + Engine.name("j").key(),
                slot + "list:execution")
            .toLong(),
        "seed " + seed);
    String open =
        String.valueOf(
            engine.redis(Command.HGET, slot + "job:" + Engine.name("j").key(), "openExecutions"));
    assertTrue(List.of("0", "null").contains(open), () -> "seed " + seed + ": " + open);
  }

  @ParameterizedTest
  @CsvSource({"SKIP", "BUFFER_ONE", "BUFFER_ALL"})
  void neverTwoAtOnceWhateverHappens(Rule rule) {
    engine.freeze();
    for (long seed = 1; seed <= WALKS; seed++) {
      walk = walk(seed, rule);
      try {
        for (int step = 0; step < STEPS; step++) {
          walk.step();
        }
        if (seed % 2 == 0) {
          walk.put();
        }
        walk.drain();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(Map.of(), walk.open, "seed " + seed);
      assertNothingIsLeft(seed);
    }
  }

  /**
   * Occurrences are due from 12:01 on, and each execution lasts 150 s, as in Temporal's examples.
   */
  @ParameterizedTest
  @CsvSource({
    "SKIP,       1 4 7 10,          2 3 5 6 8 9",
    "BUFFER_ONE, 1 2 4 6,           3 5 7 8 10",
    "BUFFER_ALL, 1 2 3 4,           8 10",
  })
  void theTimelinesOfTemporal(Rule rule, String begun, String skipped) {
    engine.freeze();
    Walk timeline = walk(3, rule); // of four, where they wait
    timeline.isFaulty = false;
    Map<Claim, Instant> ends = new LinkedHashMap<>();
    for (Instant now = at("12:01:00"); !now.isAfter(at("12:10:00")); now = now.plusSeconds(30)) {
      clock.set(now);
      for (Claim call : List.copyOf(timeline.calls)) {
        if (!ends.get(call).isAfter(now)) {
          timeline.calls.remove(call);
          timeline.finish(call, Optional.empty(), Optional.empty());
        }
      }
      timeline.claim(10);
      for (Claim call : timeline.calls) {
        ends.putIfAbsent(call, now.plusSeconds(150));
      }
    }

    assertEquals(begun, minutes(timeline.begun));
    assertEquals(skipped, minutes(timeline.skipped));
  }

  private static String minutes(List<Instant> instants) {
    return String.join(
        " ", instants.stream().map(at -> "" + (at.getEpochSecond() % 3600 / 60)).toList());
  }
}
