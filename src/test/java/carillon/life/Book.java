package carillon.life;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * Record of one job from its creation to its deletion: its definitions and states over time, its
 * claims and its calls.
 */
final class Book {
  private final String job;
  private final List<Era> eras = new ArrayList<>();
  private final Map<Integer, SortedSet<Instant>> begun = new HashMap<>();

  /** Longest time that a node keeps a run that was claimed too early. */
  private static final Duration KEPT = Duration.ofSeconds(1);

  /**
   * Tolerance for a call in flight: a step of the walk may advance the clock by most of a minute.
   */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(60);

  private final Map<String, Licence> licences = new HashMap<>();
  private final Map<String, Set<String>> attempts = new HashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();

  /** Claims that have ended. */
  private final Set<String> ends = new HashSet<>();

  /** Instant of the last claim of each attempt. */
  private final Map<String, Instant> claims = new HashMap<>();

  private final Map<String, Claimed> claimants = new HashMap<>();
  private final Map<Instant, String> ids = new HashMap<>();
  private final Set<Instant> asked = new HashSet<>();
  private Instant latest;

  /** Latest instant with a scheduled successor, or found to be the last. */
  private Instant followed;

  /** Attempt that was claimed as the next one. No other has been scheduled after it so far. */
  private Attempt unfollowed;

  private final Streak streak = new Streak();
  private int lives;

  /** First life that the record of the job covers. An execution may continue over a PUT. */
  private int toldFrom;

  private Instant started;
  private boolean ended;
  private boolean deleted;
  private boolean goesOn;

  /**
   * Permissions of a claim.
   *
   * @param plan of the job when it was claimed
   * @param rule that a call of it would break, null for none
   */
  private record Licence(Attempt attempt, Plan plan, Rule rule, String objection) {}

  /** The last claim of an execution. */
  record Claimed(Attempt attempt, String node, Instant at) {}

  Book(String job) {
    this.job = job;
  }

  List<Era> eras() {
    return eras;
  }

  Era current() {
    return eras.get(eras.size() - 1);
  }

  /** Returns the instants of a life that were begun. */
  SortedSet<Instant> begun(int life) {
    return begun.computeIfAbsent(life, first -> new TreeSet<>());
  }

  boolean isCalled(Instant nominal) {
    return ids.containsKey(nominal);
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isDeleted() {
    return deleted;
  }

  void delete() {
    deleted = true;
  }

  /** Whether an execution continued while the count restarted. */
  boolean goesOn() {
    return goesOn;
  }

  boolean knows(String deliveryId) {
    return licences.containsKey(execution(deliveryId));
  }

  private static String execution(String deliveryId) {
    return deliveryId.replace("-error", "");
  }

  /** Returns the revision of the job that a claimed execution belongs to. */
  Optional<Long> revision(String execution) {
    return Optional.ofNullable(licences.get(execution)).map(licence -> licence.attempt.revision());
  }

  /**
   * An execution began at this instant, as its record says. An execution from before the last PUT
   * is in the history only.
   */
  void start(Attempt attempt, Instant start) {
    if (lifeOf(attempt) >= toldFrom) {
      started = start;
    }
  }

  /** Redis reported the end of the last occurrence. */
  void end() {
    ended = true;
  }

  /**
   * Redis wrote the job. An occurrence that was claimed before and has no scheduled successor
   * counts, though it may be skipped because of the change. Nobody knows that yet, and the count
   * must never be exceeded.
   */
  void write(Plan plan, boolean enabled, boolean replaces, long revision, Instant at) {
    if (!replaces && unfollowed != null && unfollowed.revision() == current().revision()) {
      begun(lives).add(unfollowed.dueAt());
    }
    unfollowed = null;
    streak.begin();
    boolean carries = replaces && !eras.isEmpty() && !ended && current().carries(plan, at, latest);
    goesOn |= carries;
    if (ended && started != null && (latest == null || latest.isBefore(started))) {
      latest = started;
    }
    if (replaces) {
      lives++;
      toldFrom = carries ? toldFrom : lives;
      started = null;
    }
    eras.add(
        eras.isEmpty() || ended
            ? Era.first(plan, enabled, revision, lives, after(at))
            : current().then(plan, enabled, revision, lives, at, latest));
    ended = false;
  }

  /**
   * Returns the complaint about a job that goes on although too many of its executions failed.
   *
   * @param isLiving whether a node has been well since an instant
   */
  Optional<String> overdue(BiPredicate<String, Instant> isLiving) {
    boolean isOverdue =
        !ended
            && current().enabled()
            && streak.isTooLong(current().plan().failures())
            && isLiving.test(streak.told(), streak.since());
    return isOverdue ? Optional.of(job + " with " + streak) : Optional.empty();
  }

  /** A node disabled the job. */
  void checkPause(String node) {
    if (!streak.wasTooLong()) {
      throw new ViolationException(
          Rule.PAUSED, job + " is disabled by node " + node + ", with " + streak);
    }
  }

  /**
   * An attempt has ended. Redis reported whether the number of failed executions in a row has
   * reached the limit of the job.
   */
  void finish(
      Attempt attempt, HistoryEntry entry, boolean isFollowed, ScriptCall sent, String word) {
    boolean isKnown = licences.containsKey(attempt.executionId());
    if (!isKnown || lifeOf(attempt) != lives || !ends.add(sent.argument(1))) {
      return;
    }
    int most = plan(attempt).failures();
    boolean isTooMany = streak.end(entry, isFollowed, most, sent.party(), sent.at());
    boolean endsJob =
        word.equals("completed") || word.equals("faulted"); // which hides any other word
    if (isTooMany != word.equals("TOO_MANY_FAILURES") && !ended && !endsJob) {
      throw new ViolationException(
          Rule.PAUSED, attempt.member() + " ends as " + word + ", with " + streak);
    }
  }

  private boolean isNotFollowed(Instant nominal) {
    return followed == null || followed.isBefore(nominal);
  }

  /** A finished job that is revived is not due at an instant begun before it ended. */
  private Instant after(Instant at) {
    return latest == null || latest.isBefore(at) ? at : latest.plusNanos(1);
  }

  void ask(Instant nominal) {
    asked.add(nominal);
  }

  /**
   * Redis gave a run to a node. A run can be claimed too early, if the clock was set back while the
   * command was in flight. It goes back, or is kept for a second at most, and must not be called.
   * If the job is changed it counts as begun, as any claim does.
   */
  void claim(Attempt attempt, String node, Instant at, boolean collectionDisabled) {
    claimants.put(attempt.executionId(), new Claimed(attempt, node, at));
    if (!attempt.isRequested()) {
      latest = latest == null || latest.isBefore(attempt.dueAt()) ? attempt.dueAt() : latest;
    }
    boolean early = !attempt.isRequested() && attempt.isFirst() && attempt.crashes() == 0;
    if (early && attempt.dueAt().isAfter(at.plus(KEPT))) {
      licences.put(
          attempt.executionId(),
          new Licence(
              attempt,
              planNow(attempt),
              Rule.EARLY,
              "it was claimed at " + at + ", before its time"));
      return;
    }
    attempts.computeIfAbsent(attempt.deliveryId(), first -> new HashSet<>()).add(attempt(attempt));
    claims.put(attempt.member(), at);
    if (!attempt.isRequested()) {
      unfollowed = isNotFollowed(attempt.dueAt()) ? attempt : unfollowed;
    }
    licences.put(attempt.executionId(), collectionDisabled ? disabled(attempt) : licence(attempt));
  }

  private static String attempt(Attempt attempt) {
    return attempt.isRequested() + " " + attempt.number() + " " + attempt.crashes();
  }

  private Licence licence(Attempt attempt) {
    if (deleted) {
      return new Licence(attempt, planNow(attempt), Rule.LICENSED, "the job was deleted");
    }
    String objection =
        attempt.isRequested()
            ? asked.contains(attempt.dueAt()) ? null : "nobody asked for it"
            : current().objection(attempt.revision(), attempt.dueAt());
    return new Licence(
        attempt, planNow(attempt), objection == null ? null : Rule.LICENSED, objection);
  }

  private Licence disabled(Attempt attempt) {
    return new Licence(
        attempt,
        planNow(attempt),
        Rule.DISABLED_MARKER,
        "its collection was disabled when it was claimed");
  }

  /**
   * Redis enqueued the next occurrence. This one is begun, on behalf of the latest missed one.
   *
   * @param isSkipped whether it is not performed, and does not use up the count
   * @param sent when the node asked for it
   */
  void scheduleNext(Attempt attempt, Attempt moved, boolean isSkipped, Instant sent) {
    checkTooLate(attempt, moved, isSkipped, sent);
    if (isSkipped) {
      checkSkipped(attempt, moved, sent);
    } else {
      begun(lifeOf(attempt)).add(moved.dueAt());
    }
    move(attempt, moved);
  }

  /** A claim now represents the latest missed occurrence, and the next occurrence waits. */
  void move(Attempt attempt, Attempt moved) {
    if (isNotFollowed(moved.dueAt())) {
      followed = moved.dueAt();
    }
    unfollowed = null;
    if (!moved.equals(attempt)) {
      Licence before = licences.get(attempt.executionId());
      Claimed by = claimants.get(attempt.executionId());
      claimants.put(moved.executionId(), new Claimed(moved, by.node, by.at));
      attempts.computeIfAbsent(moved.deliveryId(), first -> new HashSet<>()).add(attempt(moved));
      latest = latest.isBefore(moved.dueAt()) ? moved.dueAt() : latest;
      licences.put(
          moved.executionId(), new Licence(moved, before.plan, before.rule, before.objection));
    }
  }

  /** A node may skip an occurrence only if it must not be called. */
  private void checkSkipped(Attempt attempt, Attempt moved, Instant sent) {
    if (licences.get(attempt.executionId()).rule == null
        && !plan(attempt).isExpired(moved.dueAt(), sent)) {
      throw new ViolationException(Rule.OWED, attempt.member() + " is skipped without a reason");
    }
  }

  /** A node must not begin an occurrence that was already too late when it was claimed. */
  private void checkTooLate(Attempt attempt, Attempt moved, boolean isSkipped, Instant sent) {
    boolean isGivenUp = attempt.crashes() > Node.MAX_CRASHES;
    if (!isSkipped
        && !isGivenUp
        && plan(attempt).isExpired(moved.dueAt(), decided(attempt, sent))) {
      throw new ViolationException(
          Rule.EXPIRED,
          moved.member() + " is begun by what was claimed at " + claims.get(attempt.member()));
    }
  }

  /**
   * Redis did not enqueue a next occurrence, because the job was changed or that occurrence waits
   * already. The claim represents its own instant, and not the latest missed one.
   */
  void stand(Attempt attempt, Instant sent) {
    Licence before = licences.get(attempt.executionId());
    Instant decided = decided(attempt, sent);
    if (before.rule == null && before.plan.isExpired(attempt.dueAt(), decided)) {
      licences.put(
          attempt.executionId(),
          new Licence(attempt, before.plan, Rule.EXPIRED, "it was too late for it at " + decided));
    }
  }

  /** Returns the earliest instant at which a node may have decided about a claim. */
  private Instant decided(Attempt attempt, Instant sent) {
    Instant claimed = claims.getOrDefault(attempt.member(), sent);
    return claimed.isBefore(sent) ? claimed : sent;
  }

  /**
   * A node skips the missed occurrences that the job does not ask for.
   *
   * @param moved the occurrence that it begins first, or for which the others wait
   * @param next the occurrence after {@code moved}
   * @param missed number of skipped occurrences, as the node says
   * @param isSkipped whether nothing is begun
   * @param sent when the node asked for it
   */
  void checkMissed(
      Attempt attempt, Instant moved, Instant next, long missed, boolean isSkipped, Instant sent) {
    Plan plan = plan(attempt);
    boolean isDisabled =
        isSkipped && licences.get(attempt.executionId()).rule == Rule.DISABLED_MARKER;
    int most = isDisabled ? 1 : plan.most();
    Instant claimed = claims.getOrDefault(attempt.member(), sent);
    Instant decided = decided(attempt, sent);
    Instant least = plan.firstBegun(attempt.dueAt(), decided, most);
    Instant latest = plan.firstBegun(attempt.dueAt(), claimed.isAfter(sent) ? claimed : sent, most);
    long passed = Duration.between(attempt.dueAt(), moved).toSeconds() / plan.every();
    if (moved.isBefore(least) || moved.isAfter(latest) || !plan.has(moved) || passed != missed) {
      throw new ViolationException(
          Rule.MISSED,
          attempt.member()
              + (" is moved to " + moved + ", " + missed + " are missed")
              + ("; it is to be begun with " + least + " to " + latest));
    }
    if (!next.equals(moved.plusSeconds(plan.every()))) {
      throw new ViolationException(Rule.MISSED, moved + " is followed by that of " + next);
    }
  }

  /**
   * The next of the missed occurrences to make up waits for its turn.
   *
   * @param next the one that waits
   * @param due until when
   * @param sent when the node asked for it
   */
  void checkPace(Attempt attempt, Instant next, Instant due, Instant sent) {
    Instant decided = decided(attempt, sent);
    Plan plan = plan(attempt);
    if (!plan.pace().isZero()
        && !next.isAfter(decided)
        && due.isBefore(decided.plus(plan.pace()))) {
      throw new ViolationException(
          Rule.PACED, attempt.member() + " is followed by that of " + next + " at " + due);
    }
  }

  /** Returns the plan of the job when this attempt was claimed. */
  private Plan plan(Attempt attempt) {
    return licences.get(attempt.executionId()).plan;
  }

  /**
   * A due occurrence of a one-time job survives a change of the job, and then follows the new plan.
   */
  private Plan planNow(Attempt attempt) {
    Plan own = era(attempt).plan();
    return own.isOnce() && current().plan().isOnce() ? current().plan() : own;
  }

  private int lifeOf(Attempt attempt) {
    return era(attempt).life();
  }

  private Era era(Attempt attempt) {
    return eras.stream()
        .filter(era -> era.revision() == attempt.revision())
        .findFirst()
        .orElseGet(this::current);
  }

  /** Returns the attempt that calls the target with this delivery id. */
  Attempt attempt(String deliveryId) {
    return licences.get(execution(deliveryId)).attempt;
  }

  /** Returns the flow for the calls of an attempt, empty for none. */
  String flow(Attempt attempt) {
    return attempt.phase() == Attempt.Phase.MAIN ? plan(attempt).flow() : "";
  }

  /** Returns the last claim of an attempt: its node and its instant. */
  Claimed claimed(Attempt attempt) {
    return claimants.get(attempt.executionId());
  }

  /** Whether executions of the attempt's job must not overlap. */
  boolean isExclusive(Attempt attempt) {
    return plan(attempt).exclusive();
  }

  /** The target was called. */
  void call(String deliveryId, Instant nominal, Instant now) {
    String execution = execution(deliveryId);
    Licence licence = licences.get(execution);
    String run = licence.attempt.member();
    if (licence.rule != null) {
      throw new ViolationException(licence.rule, run + " is called, but " + licence.objection);
    }
    Attempt attempt = licence.attempt;
    if (attempt.isFirst()
        && !attempt.isRequested()
        && plan(attempt).isExpired(nominal, claimants.get(execution).at)
        && plan(attempt).isExpired(nominal, now.minus(ON_ITS_WAY))) {
      throw new ViolationException(Rule.EXPIRED, run + " is called at " + now);
    }
    int made = calls.merge(deliveryId, 1, Integer::sum);
    Set<String> allowed = attempts.get(deliveryId);
    if (made > allowed.size()) {
      throw new ViolationException(
          Rule.REPEATED,
          run + " is called, " + made + " calls for " + allowed.size() + " attempts");
    }
    if (!licence.attempt.isRequested()) {
      count(licence.attempt, execution, nominal);
    }
  }

  private void count(Attempt attempt, String execution, Instant nominal) {
    String other = ids.putIfAbsent(nominal, execution);
    if (other != null && !other.equals(execution)) {
      throw new ViolationException(
          Rule.ONCE, job + " of " + nominal + " is called as two executions");
    }
    int life = lifeOf(attempt);
    begun(life).add(nominal);
    int most =
        eras.stream().filter(e -> e.life() == life).mapToInt(e -> e.plan().count()).max().orElse(0);
    if (most > 0 && begun(life).size() > most) {
      throw new ViolationException(
          Rule.COUNT, job + " begins " + begun(life) + ", its count is " + most);
    }
  }
}
