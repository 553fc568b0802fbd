package carillon.fsck;

import carillon.job.Quoted;

/**
 * One thing that is wrong.
 *
 * @param key in Redis, with the member or field where it is about one
 * @param expected what is to be there
 * @param found what is there
 */
public record Finding(FindingKind kind, String key, String expected, String found) {
  public Finding {
    key = key.length() > 512 ? Quoted.of(key) : key;
    found = Quoted.of(found);
  }

  /** What became of it. */
  public enum Outcome {
    /** No repair was asked for. */
    FOUND,
    /** It is as it is to be now. */
    REPAIRED,
    /** There is no way to repair it without knowing what was meant. */
    LEFT
  }

  /** Told each finding once, as soon as it is certain; on the event loop. */
  @FunctionalInterface
  public interface Listener {
    void found(Finding finding, Outcome outcome);
  }
}
