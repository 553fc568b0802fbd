package carillon.fsck;

import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.store.Guarded;
import carillon.store.Millis;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** What waits for a job: an occurrence, a run or the purge, as its state has it. */
final class ScheduleCheck {
  private final InstantSource clock;
  private final Duration keepFinished;
  private final RunCheck runs;

  ScheduleCheck(InstantSource clock, Duration keepFinished, RunCheck runs) {
    this.clock = clock;
    this.keepFinished = keepFinished;
    this.runs = runs;
  }

  void check(JobView view, List<Suspect> suspects) {
    switch (view.state()) {
      case ENABLED -> checkEnabled(view, suspects);
      case DISABLED -> checkOpen(view);
      case COMPLETED, FAULTED -> checkPurge(view, suspects);
    }
  }

  private void checkOpen(JobView view) {
    if (view.open() != 0) {
      runs.suspect(view);
    }
  }

  private void checkPurge(JobView view, List<Suspect> suspects) {
    if (view.purge() == null) {
      suspects.add(
          new Suspect(
              new Finding(
                  Kind.NO_PURGE, view.purgesKey() + " " + view.job(), "an instant", "nothing"),
              view.unchanged()
                  .whenNone("ZSCORE", view.purgesKey(), view.job())
                  .then("ZADD", view.purgesKey(), purgeAt(), view.job())));
    }
  }

  private String purgeAt() {
    return Long.toString(clock.instant().plus(keepFinished).toEpochMilli());
  }

  private void checkEnabled(JobView view, List<Suspect> suspects) {
    checkOpen(view);
    if (view.isExhausted()) {
      if (view.open() == 0) {
        suspects.add(end(view));
      }
      return;
    }
    Optional<Instant> next = view.next();
    if (next.isEmpty()) {
      suspects.add(restart(view));
      return;
    }
    String at = Long.toString(Millis.of(next.get()));
    if (view.due() != null && !view.due().equals(at)) {
      suspects.add(
          new Suspect(
              new Finding(
                  Kind.WRONG_INSTANT, view.dueKey() + " " + view.dueMember(), at, view.due()),
              view.standing()
                  .whenSame(view.due(), "ZSCORE", view.dueKey(), view.dueMember())
                  .then("ZADD", view.dueKey(), at, view.dueMember())));
    } else if (view.due() == null && view.open() == 0) {
      suspects.add(
          new Suspect(
              RunCheck.notDue(view),
              view.standing()
                  .whenNone("ZSCORE", view.dueKey(), view.dueMember())
                  .then("ZADD", view.dueKey(), at, view.dueMember())));
    }
  }

  /** As the script {@code finish} ends a job. */
  private Suspect end(JobView view) {
    String state =
        view.field("exhausted").equals(JobState.FAULTED.word())
            ? JobState.FAULTED.word()
            : JobState.COMPLETED.word();
    return new Suspect(
        new Finding(Kind.NEVER_ENDS, view.key(), state, "enabled, exhausted, open 0"),
        view.standing()
            .then("HSET", view.key(), "state", state)
            .then("HDEL", view.key(), "next", "open", "exhausted", "running", "withheld")
            .then("ZREM", view.indexKey(), view.indexMember(view.field("state")))
            .then("ZADD", view.indexKey(), "0", view.indexMember(state))
            .then("ZREM", view.dueKey(), view.dueMember())
            .then("ZADD", view.purgesKey(), purgeAt(), view.job()));
  }

  private Suspect restart(JobView view) {
    Guarded proof = view.standing();
    Optional<Instant> next = nextFromNow(view);
    next.ifPresent(
        at ->
            proof
                .then("HSET", view.key(), "next", at.toString())
                .then("ZADD", view.dueKey(), Long.toString(Millis.of(at)), view.dueMember()));
    return new Suspect(
        new Finding(
            Kind.NO_NEXT,
            view.key() + " next",
            next.map(Instant::toString).orElse("an instant"),
            String.valueOf(view.field("next"))),
        proof);
  }

  /** Empty when no occurrence is left, or it cannot be known whether the only one was performed. */
  private Optional<Instant> nextFromNow(JobView view) {
    JobDefinition definition = view.definition();
    boolean over =
        definition.isBeyondCount(view.occurrence())
            || (definition.recurrence().isEmpty() && view.hash().containsKey("executions"));
    return over ? Optional.empty() : definition.timetable(view.created()).first(clock.instant());
  }
}
