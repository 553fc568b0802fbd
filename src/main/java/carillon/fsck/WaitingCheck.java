package carillon.fsck;

import static carillon.fsck.CheckContext.orOnWrongType;
import static carillon.fsck.CheckContext.unless;

import carillon.bounded.AsyncLoops;
import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ParkedRelease;
import carillon.store.attempt.PurgeStore.Purge;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import carillon.store.attempt.WaitingListStore;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import carillon.store.operation.RawRedisReader.Slice;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Check of the waiting entries in a partition, each of which must be readable. Due entries and
 * purges need their jobs, claims need a node, and held attempts need a disabled collection. Nodes
 * must be able to find attempts that wait for a flow.
 */
final class WaitingCheck {
  private static final Pattern MEMBER =
      Pattern.compile("(?:job|resume|release):(\\S+)|run:(\\S+) .*", Pattern.DOTALL);

  /**
   * Time after which an overdue retry of a deleted job is a finding. Nodes drop it when it is due.
   */
  private static final Duration OVERDUE = Duration.ofMinutes(1);

  /** Prefix of the entry that ends a pause. */
  static final String RESUME = "resume:";

  private static final String NO_JOB = "nothing, as there is no such job";

  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final ClaimStore store;
  private final WaitingListStore lists;

  WaitingCheck(CheckContext context, ClaimStore store, WaitingListStore lists) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
    this.store = store;
    this.lists = lists;
  }

  /** Checks everything that is due, now or later. */
  Future<Void> checkDue(int partition) {
    return checkEntries(keys.due(partition), entry -> checkDue(partition, entry));
  }

  private Future<Void> checkEntries(
      String list, Function<Pair, Future<Optional<Suspicion>>> check) {
    return SliceLoops.items(
        from -> reader.members(list, from),
        entry ->
            orOnWrongType(
                    check.apply(entry), Optional.<Suspicion>empty()) // the job check's finding
                .compose(found -> verifier.settle(found.stream().toList())));
  }

  private Future<Optional<Suspicion>> checkDue(int partition, Pair entry) {
    Matcher member = MEMBER.matcher(entry.name());
    if (!member.matches() || (member.group(2) != null && !isAttempt(entry.name()))) {
      return Future.succeededFuture(
          Optional.of(
              new Suspicion(
                  FindingKind.UNREADABLE,
                  keys.due(partition) + " " + entry.name(),
                  "job:, resume:, release: or run: and the key of a job",
                  entry.name(),
                  without(keys.due(partition), entry))));
    }
    if (entry.name().startsWith(ParkedRelease.PREFIX)) {
      return Future.succeededFuture(Optional.empty()); // the node that claims this entry removes it
    }
    String job = member.group(2) != null ? member.group(2) : member.group(1);
    return reader.patiently(
        () -> {
          Future<List<String>> fields =
              reader.fields(keys.job(partition, job), "revision", "state", "epoch", "pause");
          Future<List<String>> fence =
              reader.fields(keys.epochs(partition), new JobKey(job).collection());
          return Future.all(fields, fence)
              .map(both -> judge(partition, entry, job, fields.result(), fence.result().get(0)));
        });
  }

  private Optional<Suspicion> judge(
      int partition, Pair entry, String job, List<String> fields, String fence) {
    String revision = fields.get(0);
    String state = fields.get(1);
    if (revision != null && CleanupCheck.isDeleted(fence, fields.get(2))) {
      return Optional.empty();
    }
    String due = keys.due(partition);
    String key = keys.job(partition, job);
    boolean isAttempt = entry.name().startsWith(Attempt.PREFIX);
    if (revision == null) {
      boolean isOverdue =
          Double.parseDouble(entry.value()) < context.clock.instant().minus(OVERDUE).toEpochMilli();
      return isAttempt && !isOverdue
          ? Optional.empty()
          : Optional.of(
              new Suspicion(
                  isAttempt ? FindingKind.RUN_WITHOUT_JOB : FindingKind.DUE_WITHOUT_JOB,
                  due + " " + entry.name(),
                  NO_JOB,
                  entry.value(),
                  without(due, entry).whenNone("HGET", key, "revision")));
    }
    if (entry.name().startsWith(RESUME)) {
      return resumes(state, fields.get(3))
          ? Optional.empty()
          : Optional.of(withoutPause(due, entry, key, fields));
    }
    return isAttempt || state == null || JobState.ENABLED.word().equals(state)
        ? Optional.empty()
        : Optional.of(withoutJob(due, entry, key, state));
  }

  private static boolean resumes(String state, String pause) {
    try {
      return JobState.DISABLED.word().equals(state)
          && pause != null
          && StoredJson.readPause(pause).until().isPresent();
    } catch (RuntimeException e) {
      return true; // the job check's finding
    }
  }

  private static Suspicion withoutPause(String list, Pair entry, String key, List<String> fields) {
    return new Suspicion(
        FindingKind.DUE_WITHOUT_JOB,
        list + " " + entry.name(),
        "nothing, as the job has no pause that ends",
        entry.value(),
        without(list, entry)
            .whenSame(fields.get(1), "HGET", key, "state")
            .whenSame(fields.get(3), "HGET", key, "pause"));
  }

  private static Suspicion withoutJob(String list, Pair entry, String key, String state) {
    return new Suspicion(
        FindingKind.DUE_WITHOUT_JOB,
        list + " " + entry.name(),
        state == null ? NO_JOB : "nothing, as the job is " + state,
        entry.value(),
        without(list, entry).whenSame(state, "HGET", key, "state"));
  }

  private static ConditionalCommands without(String list, Pair entry) {
    return new ConditionalCommands()
        .whenSame(entry.value(), "ZSCORE", list, entry.name())
        .then("ZREM", list, entry.name());
  }

  /** Whether the text is a claim, with or without a token. */
  private static boolean isClaim(String field) {
    return isAttempt(Claim.entry(field));
  }

  /** True if the text is an attempt. */
  static boolean isAttempt(String member) {
    try {
      Attempt.parse(member);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Checks the finished jobs that wait to be removed: each entry can be read. One whose job lives
   * again, or is gone, is passed over when its time comes.
   */
  Future<Void> checkFinished(int partition) {
    String finished = keys.finished(partition);
    return SliceLoops.items(
        from -> reader.listed(finished, from),
        entry ->
            Purge.of(entry).job().isEmpty()
                ? verifier.settle(
                    new Suspicion(
                        FindingKind.UNREADABLE,
                        finished + " " + entry,
                        "an instant and the key of a job",
                        entry,
                        new ConditionalCommands().then("LREM", finished, "0", entry)))
                : Future.succeededFuture());
  }

  /** Checks the claims of one node in one partition. */
  Future<Void> checkClaims(int partition, String node) {
    String claims = keys.claims(partition, node);
    verifier.defer(
        () -> lookForNode(claims, node),
        () -> all(() -> store.recover(partition, node, context.clock.instant())));
    return checkReadable(
        claims,
        from -> reader.entries(claims, from),
        WaitingCheck::isClaim,
        pair ->
            new ConditionalCommands()
                .when("1", "HEXISTS", claims, pair.name())
                .then("HDEL", claims, pair.name()));
  }

  private Future<Void> checkReadable(
      String key,
      Function<String, Future<Slice<Pair>>> read,
      Predicate<String> isReadable,
      Function<Pair, ConditionalCommands> unlisting) {
    return SliceLoops.items(
        read,
        pair ->
            isReadable.test(pair.name())
                ? Future.succeededFuture()
                : verifier.settle(
                    new Suspicion(
                        FindingKind.UNREADABLE,
                        key + " " + pair.name(),
                        "an attempt",
                        pair.name(),
                        unlisting.apply(pair))));
  }

  /** A node is known before it claims, and until it has no claims. */
  private Future<Optional<Finding>> lookForNode(String claims, String node) {
    return firstOf(
        reader.entries(claims, RawRedisReader.EDGE),
        held ->
            unless(
                isKnown(node),
                () ->
                    Future.succeededFuture(
                        Optional.of(
                            new Finding(
                                FindingKind.CLAIMS_OF_NOBODY,
                                claims,
                                "none, as there is no such node",
                                held)))));
  }

  private static Future<Optional<Finding>> firstOf(
      Future<Slice<Pair>> slice, Function<String, Future<Optional<Finding>>> look) {
    return slice.compose(
        held ->
            held.items().isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : look.apply(held.items().get(0).name()));
  }

  private Future<Boolean> isKnown(String node) {
    Future<List<String>> working = reader.scores(keys.nodes(), List.of(node));
    Future<List<String>> leaving = reader.scores(keys.idleNodes(), List.of(node));
    return Future.all(working, leaving)
        .map(both -> working.result().get(0) != null || leaving.result().get(0) != null);
  }

  /** Repeats slice after slice until none is left. */
  private static Future<Boolean> all(Supplier<Future<Integer>> slice) {
    return AsyncLoops.whileMore(() -> slice.get().map(moved -> moved == ClaimStore.SLICE))
        .map(true);
  }

  /**
   * Checks a waiting list of a flow or a collection: nodes find it by its name among the lists. The
   * cause of a collection's list is a disabled marker.
   */
  Future<Void> checkList(int partition, WaitingList list) {
    String key = keys.list(partition, list.key());
    if (list.cause() == WaitingCause.COLLECTION) {
      verifier.defer(
          () -> lookForMarker(key, list.name()),
          () -> all(() -> lists.release(partition, list, context.clock.instant())));
    }
    String listed = keys.lists(partition);
    return reader
        .scores(listed, List.of(list.key()))
        .compose(
            found ->
                found.get(0) != null
                    ? Future.succeededFuture()
                    : verifier.settle(
                        new Suspicion(
                            FindingKind.HELD_FOR_EVER,
                            key,
                            "an entry in " + listed,
                            "none",
                            new ConditionalCommands()
                                .when("1", "EXISTS", key)
                                .whenNone("ZSCORE", listed, list.key())
                                .then("ZADD", listed, "0", list.key()))))
        .compose(
            found ->
                checkReadable(
                    key,
                    from -> reader.members(key, from),
                    WaitingCheck::isAttempt,
                    pair -> without(key, pair)));
  }

  /** Checks the entries of {@code lists}: each names a list that has attempts. */
  Future<Void> checkLists(int partition) {
    String listed = keys.lists(partition);
    return SliceLoops.items(
        from -> reader.members(listed, from),
        entry -> {
          String list = keys.list(partition, entry.name());
          return reader
              .type(list)
              .compose(
                  type ->
                      WaitingList.parse(entry.name()).isPresent() && !type.equals("none")
                          ? Future.succeededFuture()
                          : verifier.settle(
                              new Suspicion(
                                  FindingKind.REMAINS,
                                  listed + " " + entry.name(),
                                  "nothing, as no attempts wait there",
                                  entry.value(),
                                  without(listed, entry).when("none", "TYPE", list))));
        });
  }

  /** Moves aside a waiting list without a cause in its name. No node would read it. */
  Future<Void> putAwayList(int partition, String name) {
    String key = keys.list(partition, name);
    return verifier.settle(
        new Suspicion(
            FindingKind.UNREADABLE,
            key,
            "list:flow:, list:collection: or list:execution",
            name,
            new ConditionalCommands().when("1", "EXISTS", key).thenRename(key, keys.damaged(key))));
  }

  private Future<Optional<Finding>> lookForMarker(String list, String collection) {
    return unless(
        reader.fields(keys.gates(), collection).map(marker -> marker.get(0) != null),
        () ->
            firstOf(
                reader.members(list, RawRedisReader.EDGE),
                held ->
                    Future.succeededFuture(
                        Optional.of(
                            new Finding(
                                FindingKind.HELD_FOR_EVER,
                                list,
                                "a disabled marker of " + collection,
                                held)))));
  }
}
