package carillon.fsck;

import carillon.job.name.Quoted;

/**
 * Finding: a fault in Redis.
 *
 * @param key in Redis, with the member or field if the finding is about one
 * @param expected expected content
 * @param found found content
 */
public record Finding(FindingKind kind, String key, String expected, String found) {
  public Finding {
    key = key.length() > 512 ? Quoted.of(key) : key;
    found = Quoted.of(found);
  }

  /** Outcome of a finding. */
  public enum Outcome {
    /** No repair was requested. */
    FOUND,
    /** Repaired. */
    REPAIRED,
    /** Not repaired, because a repair would have to guess. */
    LEFT
  }

  /** Listener to findings: called once for each, as soon as it is certain, on the event loop. */
  @FunctionalInterface
  public interface Listener {
    void found(Finding finding, Outcome outcome);
  }
}
