package carillon.job.name;

import java.util.Locale;

/**
 * The state of a job. Clients set the first two; the last two are set by the scheduler and are
 * final.
 */
public enum JobState implements WireWord {
  /** Waits for its next occurrence. */
  ENABLED,
  /** Paused by a client: no occurrence waits. */
  DISABLED,
  /** Every occurrence was performed. */
  COMPLETED,
  /** A one-time job whose attempts all failed. */
  FAULTED;

  private final String word = name().toLowerCase(Locale.ROOT);

  @Override
  public String word() {
    return word;
  }

  /** Whether the job runs again only after a new PUT or a retry by a client. */
  public boolean isFinal() {
    return this == COMPLETED || this == FAULTED;
  }

  /** The state of this stored word. */
  public static JobState ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
