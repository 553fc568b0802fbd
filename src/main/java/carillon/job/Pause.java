package carillon.job;

import java.time.Instant;
import java.util.Optional;

/**
 * Pause of a job or a collection that was disabled: since when, by whom, and what was said.
 *
 * @param since when it began
 * @param by the caller who began it, as the audit log names it
 * @param note why, for people
 * @param until when it ends by itself; empty where somebody has to enable
 * @param reason what began it
 */
public record Pause(
    Instant since, String by, Optional<String> note, Optional<Instant> until, Reason reason) {
  /** Who begins or ends a pause where no client does: this program, as the audit log names it. */
  public static final String PROGRAM = "carillon";

  /** What begins a pause. */
  public enum Reason implements WireWord {
    /** A client disabled it. */
    CLIENT,
    /** So many executions failed in a row as the job allows. */
    FAILURES;
  }

  /**
   * Options of a request to disable.
   *
   * @param note why, for people
   * @param until when it ends by itself
   */
  public record PauseOptions(Optional<String> note, Optional<Instant> until) {
    /** Nothing but that it is disabled. */
    public static final PauseOptions NONE = new PauseOptions(Optional.empty(), Optional.empty());

    /** The property that needs nodes of {@link JobDefinition#SCHEDULE_FORMAT}; empty for none. */
    public Optional<String> guardedProperty() {
      return until.map(given -> "until").or(() -> note.map(given -> "note"));
    }

    /** Whether this asks for nothing that is not so already. */
    public boolean isMet(Optional<Pause> current) {
      return equals(NONE)
          || current
              .filter(pause -> pause.note.equals(note) && pause.until.equals(until))
              .isPresent();
    }

    /** The pause that this asks for. */
    public Pause pause(Optional<Pause> current, String by, Instant now) {
      return new Pause(current.map(Pause::since).orElse(now), by, note, until, Reason.CLIENT);
    }
  }

  /** The pause of a job of which so many executions failed in a row. */
  public static Pause afterFailures(int limit, Instant now) {
    String note = limit == 1 ? "an execution failed" : limit + " executions in a row failed";
    return new Pause(now, PROGRAM, Optional.of(note), Optional.empty(), Reason.FAILURES);
  }

  /** This pause without an end: only a client ends it. */
  public Pause withoutEnd() {
    return new Pause(since, by, note, Optional.empty(), reason);
  }
}
