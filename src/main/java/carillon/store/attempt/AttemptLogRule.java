package carillon.store.attempt;

import carillon.config.Settings.ExecutionsSettings;
import carillon.job.AttemptRecord.Source;
import carillon.job.AttemptRecord.State;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.json.text.Timestamps;
import carillon.json.view.AttemptRecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Rule that selects the attempts for the {@link AttemptLog}. Immutable. */
final class AttemptLogRule {
  private final ExecutionsSettings settings;
  private final int perPartition;

  AttemptLogRule(ExecutionsSettings settings, int partitions) {
    this.settings = settings;
    this.perPartition = (settings.entries() + partitions - 1) / partitions;
  }

  /** Returns the log entry for an attempt; empty for most successes. */
  Optional<String> entryFor(AttemptOutcome outcome, Source source) {
    HistoryEntry entry = outcome.entry();
    return state(outcome)
        .filter(state -> isWanted(state, entry))
        .map(state -> AttemptRecordCodec.write(source, state, entry));
  }

  private Optional<State> state(AttemptOutcome outcome) {
    HistoryEntry entry = outcome.entry();
    return switch (entry.status()) {
      case MARKED -> Optional.empty();
      case SKIPPED -> outcome.exhausted() ? Optional.of(State.FAILED) : Optional.empty();
      case FAILED ->
          Optional.of(
              outcome.exhausted() || outcome.following().isEmpty() ? State.FAILED : State.RETRYING);
      case COMPLETED ->
          Optional.of(
              Duration.between(entry.start(), entry.end()).compareTo(settings.slow()) >= 0
                  ? State.SLOW
                  : State.COMPLETED);
    };
  }

  private boolean isWanted(State state, HistoryEntry entry) {
    boolean isRecovery = entry.phase() == Attempt.Phase.MAIN && entry.retry() > 0;
    return switch (settings.recorded()) {
      case ALL -> true;
      case NONE -> false;
      case FAILURES -> state != State.COMPLETED || isRecovery;
    };
  }

  /**
   * Returns the script argument that bounds the log: maximum number of entries, and the oldest end.
   */
  String bounds(Instant now) {
    return perPartition + " " + Timestamps.formatMillis(now.minus(settings.age()));
  }
}
