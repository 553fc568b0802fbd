package carillon.fsck;

import carillon.job.Quoted;

/**
 * A finding: something that is wrong in Redis.
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

  /** Outcome of a finding. */
  public enum Outcome {
    /** No repair was asked for. */
    FOUND,
    /** It was repaired. */
    REPAIRED,
    /** It was not repaired, as a repair would have to guess. */
    LEFT
  }

  /** Listener to findings: called once for each, as soon as it is certain, on the event loop. */
  @FunctionalInterface
  public interface Listener {
    void found(Finding finding, Outcome outcome);
  }
}
