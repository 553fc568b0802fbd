package carillon.faults;

import java.time.Duration;
import java.util.List;

/**
 * What the checker found.
 *
 * @param owed occurrences that had to be called
 * @param lost owed and neither called nor recorded, or called too few times
 * @param early calls before their instant
 * @param explained calls made again that a fault explains
 * @param unexplained calls made again that none explains
 * @param phantom calls that nobody asked for
 * @param skipped occurrences that were not called because of a fault, a change or a disabled
 *     collection, with a record that says why
 * @param tooLate calls later than the scenario's bound, or than what an enabled collection may wait
 * @param places places for calls that nodes had before and have no longer
 * @param disagreements between the product's history and the target
 * @param outside lateness of what was due while all was well, sorted
 * @param inside lateness of what was due while something was broken, sorted
 * @param recovery longest time from the end of a fault to the last call that was late because of
 *     it; of a node that stayed dead, from its death
 * @param available share of the API's requests that were answered 2xx, 0 to 1
 * @param gap longest time between two answers 2xx
 * @param problems one line for each of the first of those that must not be
 */
record Verdict(
    int owed,
    int lost,
    int early,
    int explained,
    int unexplained,
    int phantom,
    int skipped,
    int disagreements,
    int tooLate,
    int places,
    List<Duration> outside,
    List<Duration> inside,
    Duration recovery,
    double available,
    Duration gap,
    List<String> problems) {

  /** Whether every bar is held. */
  boolean holds() {
    return lost == 0
        && early == 0
        && unexplained == 0
        && phantom == 0
        && disagreements == 0
        && tooLate == 0
        && places == 0;
  }
}
