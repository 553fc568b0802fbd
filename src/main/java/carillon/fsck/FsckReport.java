package carillon.fsck;

import carillon.fsck.Finding.Outcome;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Report of a check: counts of checked and repaired items. Confined to the event loop until the run
 * is over.
 */
public final class FsckReport {
  private final Map<FindingKind, Integer> found = new EnumMap<>(FindingKind.class);
  private long jobs;
  private long keys;
  private int repaired;

  void add(FindingKind kind, Outcome outcome) {
    found.merge(kind, 1, Integer::sum);
    repaired += outcome == Outcome.REPAIRED ? 1 : 0;
  }

  void sawJobs(long more) {
    jobs += more;
  }

  void sawKeys(long more) {
    keys += more;
  }

  /** How many jobs were checked. */
  public long jobs() {
    return jobs;
  }

  /** Returns the number of checked keys, jobs among them. */
  public long keys() {
    return keys;
  }

  /** How many findings of each kind there were; kinds without any are absent. */
  public Map<FindingKind, Integer> found() {
    return Collections.unmodifiableMap(found);
  }

  /** How many of them were repaired. */
  public int repaired() {
    return repaired;
  }

  /** How many of them were not. */
  public int left() {
    return found.values().stream().mapToInt(Integer::intValue).sum() - repaired;
  }
}
