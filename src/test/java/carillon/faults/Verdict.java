package carillon.faults;

import java.time.Duration;
import java.util.List;

/**
 * Findings of the checker.
 *
 * @param owed occurrences that had to be called
 * @param lost owed occurrences that were neither called nor recorded, or called too few times
 * @param early calls before their instant
 * @param explained repeated calls that a fault explains
 * @param unexplained repeated calls that no fault explains
 * @param phantom calls that nobody asked for
 * @param skipped occurrences that were not called because of a fault, a change or a disabled
 *     collection, with a recorded reason
 * @param tooLate calls later than the scenario's limit, or than an enabled collection allows
 * @param places call slots that nodes had before and no longer have
 * @param disagreements between the product's history and the target
 * @param outside lateness of calls due while there was no fault, sorted
 * @param inside lateness of calls due during a fault, sorted
 * @param recovery longest time from the end of a fault to the last late call after it; for a node
 *     that stayed dead, from its death
 * @param available share of the API's requests that were answered 2xx, 0 to 1
 * @param gap longest time between two 2xx answers
 * @param problems one line for each of the first problems of each kind
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

  /** Whether the verdict has no violation. */
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
