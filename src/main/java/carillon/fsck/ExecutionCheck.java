package carillon.fsck;

import static carillon.fsck.CheckContext.orOnWrongType;

import carillon.bounded.AsyncLoops;
import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.attempt.Attempt;
import carillon.job.name.IsoInstant;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.attempt.WaitingList;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Check of the executions of jobs that must not overlap. An execution that counts as under way must
 * have an attempt that continues it. A waiting execution must have one ahead of it.
 */
final class ExecutionCheck {
  private static final String CALLING = "calling";
  private static final String WAITING = "waiting";

  /** Separator of the instant and the revision of an execution outside the schedule. */
  private static final String REQUESTED = " requested ";

  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final AttemptCheck attempts;
  private final Map<Integer, Set<String>> suspected = new TreeMap<>();

  ExecutionCheck(CheckContext context, AttemptCheck attempts) {
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
    this.attempts = attempts;
  }

  private static boolean isUnderWay(String state) {
    return state.equals(CALLING) || state.equals(WAITING);
  }

  /** Returns the name of an execution: its nominal instant and its revision. */
  private static String execution(Attempt attempt) {
    return IsoInstant.text(attempt.dueAt())
        + (attempt.isRequested() ? REQUESTED : " ")
        + attempt.revision();
  }

  /** Notes a job for a later comparison of its executions with its attempts, which move. */
  void suspect(int partition, String job) {
    suspected.computeIfAbsent(partition, none -> new HashSet<>()).add(job);
  }

  /** Compares the noted jobs, and defers those that differ. */
  Future<Void> sift() {
    return AsyncLoops.each(
        List.copyOf(suspected.entrySet()),
        part ->
            attempts
                .attempts(part.getKey(), part.getValue())
                .compose(
                    runs ->
                        AsyncLoops.concurrently(
                            List.copyOf(part.getValue()),
                            job -> sift(part.getKey(), job, runs.get(job)))));
  }

  private Future<Void> sift(int partition, String job, Set<String> runs) {
    return orOnWrongType(
            reader.hash(keys.executions(partition, job)).map(all -> idle(all, runs)), Map.of())
        .map(
            idle -> {
              if (!idle.isEmpty()) {
                defer(partition, job);
              }
              return null;
            });
  }

  private void defer(int partition, String job) {
    verifier.defer(
        () -> orOnWrongType(lookForAttempts(partition, job), Optional.empty()),
        () -> forget(partition, job));
  }

  private Future<Optional<Finding>> lookForAttempts(int partition, String job) {
    return idle(partition, job)
        .map(
            idle ->
                idle.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                        new Finding(
                            FindingKind.WRONG_COUNT,
                            keys.executions(partition, job),
                            "executions with an attempt that is claimed or waits",
                            String.join(", ", idle.keySet()))));
  }

  /** The executions that count as under way, and have no attempt, with their state. */
  private Future<Map<String, String>> idle(int partition, String job) {
    return reader
        .hash(keys.executions(partition, job))
        .compose(
            all -> attempts.attempts(partition, Set.of(job)).map(runs -> idle(all, runs.get(job))));
  }

  private static Map<String, String> idle(Map<String, String> executions, Set<String> runs) {
    Map<String, String> idle = new TreeMap<>(executions);
    idle.values().removeIf(state -> !isUnderWay(state));
    idle.keySet().removeIf(one -> runs.stream().anyMatch(isOf(one)));
    return idle;
  }

  private static Predicate<String> isOf(String execution) {
    int end = Math.max(0, execution.indexOf(' '));
    String nominal = " at=" + execution.substring(0, end) + " ";
    String revision = " revision=" + execution.substring(execution.lastIndexOf(' ') + 1);
    boolean isRequested = execution.contains(REQUESTED);
    return run ->
        run.contains(nominal)
            && run.contains(" occurrence=" + Attempt.REQUESTED + " ") == isRequested
            && run.endsWith(revision);
  }

  private Future<Boolean> forget(int partition, String job) {
    String executions = keys.executions(partition, job);
    return idle(partition, job)
        .compose(
            idle ->
                AsyncLoops.each(
                    List.copyOf(idle.entrySet()),
                    one ->
                        reader
                            .perform(
                                new ConditionalCommands()
                                    .when(one.getValue(), "HGET", executions, one.getKey())
                                    .then("HDEL", executions, one.getKey()))
                            .mapEmpty()))
        .map(true);
  }

  /** Checks the attempts in a partition that wait for the end of other executions. */
  Future<Void> checkList(int partition) {
    String list = keys.list(partition, WaitingList.EXECUTIONS.key());
    return SliceLoops.items(from -> reader.members(list, from), entry -> check(partition, entry));
  }

  private Future<Void> check(int partition, Pair entry) {
    String list = keys.list(partition, WaitingList.EXECUTIONS.key());
    Optional<Attempt> attempt = attempt(entry.name());
    if (attempt.isEmpty()) {
      return verifier.settle(
          new Suspicion(
              FindingKind.UNREADABLE,
              list + " " + entry.name(),
              "an attempt",
              entry.name(),
              new ConditionalCommands()
                  .whenSame(entry.value(), "ZSCORE", list, entry.name())
                  .then("ZREM", list, entry.name())));
    }
    return orOnWrongType(
        reader
            .hash(keys.executions(partition, attempt.get().job()))
            .compose(all -> check(partition, entry, attempt.get(), all)),
        null);
  }

  private static Optional<Attempt> attempt(String member) {
    return WaitingCheck.isAttempt(member) ? Optional.of(Attempt.parse(member)) : Optional.empty();
  }

  private Future<Void> check(
      int partition, Pair entry, Attempt attempt, Map<String, String> executions) {
    String key = keys.executions(partition, attempt.job());
    String execution = execution(attempt);
    boolean isKnown = entry.name().equals(executions.get(execution));
    if (isKnown && executions.values().stream().anyMatch(ExecutionCheck::isUnderWay)) {
      return Future.succeededFuture();
    }
    String list = keys.list(partition, WaitingList.EXECUTIONS.key());
    ConditionalCommands proof =
        new ConditionalCommands()
            .whenSame(entry.value(), "ZSCORE", list, entry.name())
            .whenSame(executions.get(execution), "HGET", key, execution)
            .when(Integer.toString(executions.size()), "HLEN", key);
    executions.forEach((one, state) -> proof.when(state, "HGET", key, one));
    return verifier.settle(
        new Suspicion(
            FindingKind.HELD_FOR_EVER,
            list + " " + entry.name(),
            "another execution of the job under way",
            isKnown ? "none" : "not known to " + key,
            proof
                .then("ZREM", list, entry.name())
                .then("HSET", key, execution, WAITING)
                .then("ZADD", keys.due(partition), entry.value(), entry.name())));
  }
}
