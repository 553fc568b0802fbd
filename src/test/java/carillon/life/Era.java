package carillon.life;

import java.time.Instant;

/**
 * Time in which a job had one definition and one state, from one change to the next.
 *
 * @param life number of the PUT that started the count; a PATCH continues it
 * @param from the moment of the change
 * @param begun the latest instant begun by then, null for none: only later instants belong to this
 *     era
 * @param wanted the instant that a one-time job owes, null for none
 */
record Era(
    Plan plan,
    boolean enabled,
    long revision,
    int life,
    Instant from,
    Instant begun,
    Instant wanted) {

  /** Returns the first era of a job that did not exist before. */
  static Era first(Plan plan, boolean enabled, long revision, int life, Instant from) {
    Instant wanted = plan.isOnce() && enabled ? later(plan.start(), from) : null;
    return new Era(plan, enabled, revision, life, from, null, wanted);
  }

  /** Returns the era that follows when the job is changed. */
  Era then(Plan to, boolean enables, long newRevision, int newLife, Instant at, Instant latest) {
    return new Era(
        to, enables, newRevision, newLife, at, latest, wanted(to, enables, newLife, at, latest));
  }

  private Instant wanted(Plan to, boolean enables, int newLife, Instant at, Instant latest) {
    if (!to.isOnce()) {
      return null;
    }
    if (carries(to, at, latest)) {
      return wanted;
    }
    if (keepsInstant(to, enables, newLife, at, latest)) {
      return to.start();
    }
    Instant after = latest == null || latest.isBefore(at) ? at : latest.plusNanos(1);
    return enables ? later(to.start(), after) : null;
  }

  /**
   * Whether the instant of a one-time job fell into its pause, and its definition bounds lateness.
   */
  private boolean keepsInstant(Plan to, boolean enables, int newLife, Instant at, Instant latest) {
    boolean ends = !enabled && enables && newLife == life;
    return ends
        && !to.within().isZero()
        && !to.start().isAfter(at)
        && (latest == null || to.start().isAfter(latest));
  }

  /**
   * Whether the only occurrence of a one-time job is due or begun, and a new definition asks for no
   * other.
   */
  boolean carries(Plan to, Instant at, Instant latest) {
    boolean isBegun = wanted != null && latest != null && !wanted.isAfter(latest);
    return plan.isOnce()
        && to.isOnce()
        && wanted != null
        && (isBegun || !wanted.isAfter(at))
        && !to.start().isAfter(wanted);
  }

  /** Returns why a scheduled run must not be called in this era, or null if it may be called. */
  String objection(long runRevision, Instant nominal) {
    if (!enabled) {
      return "the job is disabled";
    }
    if (plan.isOnce()) {
      return nominal.equals(wanted) ? null : "it is due at " + wanted;
    }
    if (runRevision != revision) {
      return "the job was changed";
    }
    if (nominal.isBefore(from)) {
      return "the job is as it is only since " + from;
    }
    return plan.has(nominal) ? null : "the job is not due then";
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
