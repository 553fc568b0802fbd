package carillon.fsck;

import carillon.bounded.AsyncLoops;
import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.attempt.Attempt;
import carillon.job.collection.PauseScope;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.redis.ConditionalCommands;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.store.attempt.WaitingList;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import carillon.store.operation.RawRedisReader.Slice;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Check of jobs with executions under way. Unless the next occurrence is due, it must have an
 * attempt. Besides that, there must be as many attempts as the job counts.
 *
 * <p>An attempt moves between lists: it is due, claimed by some node, held for a disabled
 * collection, or held with its job, or it waits for a flow or for the end of another execution. So
 * the check walks all these lists, the claims before and after the others. A job is wrong only if
 * nothing about it has changed in several walks.
 */
final class AttemptCheck {
  private static final int LOOKS = 3;

  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final Map<Integer, List<Case>> suspected = new TreeMap<>();
  private final List<JobSnapshot> settled = new ArrayList<>();
  private final Map<Integer, Set<String>> seenLists = new HashMap<>();
  private final Set<String> nodes = new HashSet<>();

  AttemptCheck(CheckContext context) {
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
  }

  static Finding notDue(JobSnapshot view) {
    return new Finding(
        FindingKind.NOT_DUE, view.dueKey() + " " + view.dueMember(), view.field("next"), "nothing");
  }

  /** Notes a job for a check at the end. */
  void suspect(JobSnapshot view) {
    add(suspected, new Case(view, Optional.empty()));
  }

  private static void add(Map<Integer, List<Case>> cases, Case one) {
    cases.computeIfAbsent(one.view.partition(), none -> new ArrayList<>()).add(one);
  }

  /** Takes note of a waiting list, which may have lost its name among the lists. */
  void sawList(int partition, String list) {
    seenLists.computeIfAbsent(partition, none -> new HashSet<>()).add(list);
  }

  /** Notes a node that has claims, known or not. */
  void sawClaimsOf(String node) {
    nodes.add(node);
  }

  /** Job, and its fault at the last look. */
  private record Case(JobSnapshot view, Optional<Finding> finding) {}

  /** The jobs that were found wrong. */
  List<JobSnapshot> settled() {
    return settled;
  }

  /** Checks the noted jobs several times. */
  Future<Void> settle() {
    return look(suspected, 1);
  }

  private Future<Void> look(Map<Integer, List<Case>> cases, int looks) {
    if (cases.isEmpty()) {
      return Future.succeededFuture();
    }
    Map<Integer, List<Case>> still = new TreeMap<>();
    return knowNodes()
        .compose(
            known ->
                AsyncLoops.each(
                    List.copyOf(cases.entrySet()),
                    part ->
                        walk(part.getKey(), part.getValue())
                            .compose(
                                runs ->
                                    AsyncLoops.concurrently(
                                        part.getValue(),
                                        one -> sift(one, runs.get(one.view.job()), looks, still)))))
        .compose(
            done ->
                still.isEmpty()
                    ? Future.succeededFuture()
                    : reader.pause(verifier.pause()).compose(passed -> look(still, looks + 1)));
  }

  private Future<Void> knowNodes() {
    return AsyncLoops.each(
        List.of(keys.nodes(), keys.idleNodes()),
        list -> walk(from -> reader.members(list, from), pair -> nodes.add(pair.name())));
  }

  private Future<Map<String, Set<String>>> walk(int partition, List<Case> cases) {
    Map<String, Set<String>> runs = new HashMap<>();
    cases.forEach(one -> runs.put(one.view.job(), new HashSet<>()));
    cases.forEach(
        one ->
            Optional.ofNullable(one.view.field("heldAttempt")).ifPresent(run -> note(run, runs)));
    return walk(partition, runs);
  }

  /** The attempts of each of these jobs that are claimed, or wait, up to their count of crashes. */
  Future<Map<String, Set<String>>> attempts(int partition, Set<String> jobs) {
    Map<String, Set<String>> runs = new HashMap<>();
    jobs.forEach(job -> runs.put(job, new HashSet<>()));
    return knowNodes().compose(known -> walk(partition, runs));
  }

  private Future<Map<String, Set<String>>> walk(int partition, Map<String, Set<String>> runs) {
    Set<String> lists = new LinkedHashSet<>();
    runs.keySet().stream()
        .flatMap(job -> PauseScope.markers(new JobKey(job).collection()).stream())
        .map(WaitingList::ofCollection)
        .forEach(list -> lists.add(list.key()));
    lists.add(WaitingList.EXECUTIONS.key());
    lists.addAll(seenLists.getOrDefault(partition, Set.of()));
    Consumer<Pair> note = pair -> note(pair.name(), runs);
    return claims(partition, note)
        .compose(done -> walk(from -> reader.members(keys.due(partition), from), note))
        .compose(
            done ->
                walk(
                    from -> reader.members(keys.lists(partition), from),
                    listed -> lists.add(listed.name())))
        .compose(
            done ->
                AsyncLoops.each(
                    List.copyOf(lists),
                    list -> walk(from -> reader.members(keys.list(partition, list), from), note)))
        .compose(done -> claims(partition, note))
        .map(runs);
  }

  private Future<Void> claims(int partition, Consumer<Pair> note) {
    return AsyncLoops.each(
        List.copyOf(nodes),
        node -> walk(from -> reader.entries(keys.claims(partition, node), from), note));
  }

  private static Future<Void> walk(
      Function<String, Future<Slice<Pair>>> read, Consumer<Pair> each) {
    return SliceLoops.slices(
        read,
        items -> {
          items.forEach(each);
          return Future.succeededFuture();
        });
  }

  private static void note(String member, Map<String, Set<String>> runs) {
    if (member.startsWith(Attempt.PREFIX)) {
      int end = member.indexOf(' ');
      Set<String> of = end < 0 ? null : runs.get(member.substring(Attempt.PREFIX.length(), end));
      int crashes = member.lastIndexOf(" crashes=");
      if (of != null && crashes > 0) {
        of.add(member.substring(0, crashes));
      }
    }
  }

  private Future<Void> sift(Case one, Set<String> runs, int looks, Map<Integer, List<Case>> still) {
    Optional<Suspicion> wrong = judge(one.view, runs);
    if (wrong.isEmpty()
        || one.finding.filter(seen -> !wrong.get().finding().equals(seen)).isPresent()) {
      return Future.succeededFuture();
    }
    if (looks == LOOKS) {
      settled.add(one.view);
      return verifier.settle(wrong.get());
    }
    return reader
        .holds(wrong.get().proof())
        .map(
            holds -> {
              if (holds) {
                add(still, new Case(one.view, Optional.of(wrong.get().finding())));
              }
              return null;
            });
  }

  private static Optional<Suspicion> judge(JobSnapshot view, Set<String> all) {
    List<String> runs =
        all.stream().filter(run -> run.endsWith(" revision=" + view.attemptRevision())).toList();
    List<String> counted = runs.stream().filter(run -> !isOccurrence(run, view)).toList();
    ConditionalCommands proof =
        view.sameSchedule()
            .whenSame(view.field("latest"), "HGET", view.key(), "latest")
            .then("HSET", view.key(), "openExecutions", Integer.toString(counted.size()));
    boolean waits =
        view.state() == JobState.ENABLED && !view.isExhausted() && view.next().isPresent();
    if (waits && view.due() == null && counted.size() == runs.size()) {
      Instant planned = view.definition().occurrences().planned(view.next().get());
      String at = Long.toString(EpochMillis.of(planned));
      return Optional.of(
          new Suspicion(
              notDue(view),
              proof
                  .whenNone("ZSCORE", view.dueKey(), view.dueMember())
                  .then("ZADD", view.dueKey(), at, view.dueMember())));
    }
    return view.openExecutions() == counted.size()
        ? Optional.empty()
        : Optional.of(
            new Suspicion(
                new Finding(
                    FindingKind.WRONG_COUNT,
                    view.key() + " openExecutions",
                    Integer.toString(counted.size()),
                    Long.toString(view.openExecutions())),
                proof));
  }

  private static boolean isOccurrence(String run, JobSnapshot view) {
    return run.contains(" at=" + view.field("next") + " ")
        && !run.contains(" occurrence=" + Attempt.REQUESTED + " ");
  }
}
