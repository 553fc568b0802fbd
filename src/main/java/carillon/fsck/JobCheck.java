package carillon.fsck;

import carillon.bounded.AsyncLoops;
import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.recurrence.calendar.JobCalendars;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.ParsedKey.Kind;
import carillon.secret.Vault;
import carillon.store.operation.RawRedisReader;
import carillon.store.resource.CalendarUses;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Check that each job can be read, is in its partition and list, and counts its history. */
final class JobCheck {
  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final ScheduleCheck schedule;

  JobCheck(CheckContext context, ScheduleCheck schedule) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
    this.schedule = schedule;
  }

  /** Checks some jobs of one partition. */
  Future<Void> check(int partition, List<String> jobs) {
    return AsyncLoops.concurrently(jobs, job -> check(partition, job, true));
  }

  private Future<Void> check(int partition, String job, boolean mayRepeat) {
    return reader
        .patiently(() -> read(partition, job))
        .compose(view -> check(view, mayRepeat))
        .recover(
            failure -> {
              if (!RawRedisReader.isWrongType(failure)) {
                return Future.failedFuture(failure);
              }
              return mayRepeat
                  ? checkTypes(partition, job).compose(done -> check(partition, job, false))
                  : Future.succeededFuture(); // reported, and not to be repaired
            });
  }

  /** Checks the types of the keys that are read for a job. */
  private Future<Void> checkTypes(int partition, String job) {
    String jobs = keys.jobs(partition, new JobKey(job).collection());
    return context
        .hasType(keys.job(partition, job), Kind.JOB)
        .compose(done -> context.hasType(keys.due(partition), Kind.DUE))
        .compose(done -> context.hasType(keys.epochs(partition), Kind.EPOCHS))
        .compose(done -> context.hasType(keys.finished(partition), Kind.FINISHED))
        .compose(done -> context.hasType(jobs, Kind.JOBS))
        .compose(done -> context.hasType(keys.history(partition, job), Kind.HISTORY))
        .mapEmpty();
  }

  private Future<JobSnapshot> read(int partition, String job) {
    String name = new JobKey(job).name();
    String collection = new JobKey(job).collection();
    Future<Map<String, String>> hash = reader.hash(keys.job(partition, job));
    Future<List<String>> fence = reader.fields(keys.epochs(partition), collection);
    Future<List<String>> due =
        reader.scores(keys.due(partition), List.of("job:" + job, WaitingCheck.RESUME + job));
    Future<List<String>> finished = reader.range(keys.finished(partition), 0, 0);
    Future<List<String>> index =
        reader.scores(
            keys.jobs(partition, collection),
            JobSnapshot.STATES.stream().map(state -> state + "/" + name).toList());
    Future<Long> history = reader.length(keys.history(partition, job));
    return Future.all(List.of(hash, fence, due, finished, index, history))
        .map(
            all ->
                new JobSnapshot(
                    keys,
                    partition,
                    job,
                    hash.result(),
                    fence.result().get(0),
                    due.result().get(0),
                    due.result().get(1),
                    finished.result().stream().findFirst().orElse(null),
                    index.result(),
                    history.result()));
  }

  private Future<Void> check(JobSnapshot view, boolean mayRepeat) {
    if (view.hash().isEmpty() || view.isDeleted()) {
      return Future.succeededFuture();
    }
    Optional<Suspicion> unreadable = unreadable(view);
    if (unreadable.isPresent()) {
      return verifier.settle(unreadable.get());
    }
    List<String> extras = view.unreadableExtras();
    if (!extras.isEmpty()) {
      Future<Void> mended = verifier.settle(withoutExtras(view, extras));
      return mayRepeat && verifier.isRepairing()
          ? mended.compose(done -> check(view.partition(), view.job(), false))
          : mended;
    }
    List<Suspicion> suspects = new ArrayList<>();
    checkIndex(view, suspects);
    checkCalendars(view, suspects);
    checkHistory(view, suspects);
    checkSecrets(view, suspects);
    schedule.check(view, suspects);
    return verifier.settle(suspects);
  }

  private Optional<Suspicion> unreadable(JobSnapshot view) {
    if (!view.isKeyOfAJob()) {
      return Optional.of(
          new Suspicion(
              FindingKind.UNREADABLE, view.key(), "the name of a job", view.job(), putAway(view)));
    }
    int right = JobName.partition(view.job(), keys.partitions());
    if (right != view.partition()) {
      return Optional.of(
          new Suspicion(
              FindingKind.WRONG_PARTITION,
              view.key(),
              "partition " + right,
              "" + view.partition(),
              putAway(view)));
    }
    return view.unreadable()
        .map(
            what ->
                new Suspicion(FindingKind.UNREADABLE, view.key(), "a job", what, putAway(view)));
  }

  /** Moves a damaged job aside. Nothing is lost, and the name can be used again. */
  private ConditionalCommands putAway(JobSnapshot view) {
    String away = keys.damaged(view.key());
    ConditionalCommands steps =
        view.same(view.unchanged(), "definition")
            .when("1", "EXISTS", view.key())
            .thenRename(view.key(), away)
            .then("ZREM", view.dueKey(), view.dueMember());
    for (String state : JobSnapshot.STATES) {
      steps.then("ZREM", view.indexKey(), view.indexMember(state));
    }
    if (view.history() > 0) {
      putAwayHistory(steps.when("1", "EXISTS", view.historyKey()), view.historyKey());
    }
    return steps;
  }

  private void putAwayHistory(ConditionalCommands steps, String history) {
    steps.thenRename(history, keys.damaged(history));
  }

  private static Suspicion withoutExtras(JobSnapshot view, List<String> extras) {
    ConditionalCommands proof = view.unchanged();
    for (String field : extras) {
      long epoch = field.equals(JobSnapshot.EPOCH) ? view.leastEpoch() : 0;
      view.same(proof, field);
      if (epoch == 0) {
        proof.then("HDEL", view.key(), field);
      } else {
        proof.then("HSET", view.key(), field, Long.toString(epoch));
      }
    }
    return new Suspicion(
        FindingKind.UNREADABLE,
        view.key() + " " + String.join(",", extras),
        "numbers and instants",
        extras.stream().map(view::field).toList().toString(),
        proof);
  }

  private static void checkIndex(JobSnapshot view, List<Suspicion> suspects) {
    int state = JobSnapshot.STATES.indexOf(view.state().word());
    String found = view.index().get(state);
    if (!"0".equals(found)) {
      String member = view.indexMember();
      suspects.add(
          new Suspicion(
              found == null ? FindingKind.NOT_INDEXED : FindingKind.WRONG_INDEX,
              view.indexKey() + " " + member,
              "score 0",
              found == null ? "nothing" : "score " + found,
              view.unchanged()
                  .whenSame(found, "ZSCORE", view.indexKey(), member)
                  .then("ZADD", view.indexKey(), "0", member)));
    }
  }

  /**
   * Checks that the lists of the job's calendars contain it. Readers of such a list remove jobs
   * that no longer name the calendar, but nobody adds missing jobs.
   */
  private void checkCalendars(JobSnapshot view, List<Suspicion> suspects) {
    JobKey job = new JobKey(view.job());
    for (String name :
        view.definition().occurrences().calendars().map(JobCalendars::names).orElse(List.of())) {
      String list = keys.calendarUses(view.partition(), CalendarUses.calendar(job, name));
      suspects.add(
          new Suspicion(
              FindingKind.NO_CALENDAR_ENTRY,
              list + " " + view.job(),
              "the job",
              "nothing",
              view.unchanged()
                  .when("0", "SISMEMBER", list, view.job())
                  .then("SADD", list, view.job())));
    }
  }

  /** Reports secrets in clear. Sealing needs keys, which only nodes have. */
  private static void checkSecrets(JobSnapshot view, List<Suspicion> suspects) {
    Optional.of(view.field("definition"))
        .filter(Vault::mayHoldSecret)
        .flatMap(text -> Vault.firstInClear(view.definition()))
        .ifPresent(
            field ->
                suspects.add(
                    new Suspicion(
                        FindingKind.SECRET_IN_CLEAR,
                        view.key() + " " + field,
                        "a sealed text",
                        "a text in clear",
                        view.unchanged()
                            .whenSame(
                                view.field("definition"), "HGET", view.key(), "definition"))));
  }

  private void checkHistory(JobSnapshot view, List<Suspicion> suspects) {
    String bytes = view.field("historyBytes");
    boolean counted = bytes != null && !bytes.equals("0");
    if (counted == view.history() > 0) {
      return;
    }
    ConditionalCommands proof =
        view.unchanged()
            .whenSame(bytes, "HGET", view.key(), "historyBytes")
            .when(Long.toString(view.history()), "LLEN", view.historyKey());
    // Without a count the history cannot be bounded, so it is moved away and counting restarts.
    if (counted) {
      proof.then("HDEL", view.key(), "historyBytes");
    } else {
      putAwayHistory(proof, view.historyKey());
    }
    suspects.add(
        new Suspicion(
            FindingKind.WRONG_HISTORY_SIZE,
            view.key() + " historyBytes",
            view.history() == 0
                ? "none, as there is no older entry"
                : "the size of the older entries",
            String.valueOf(bytes),
            proof));
  }

  /** Checks a history, whose job may be gone. */
  Future<Void> checkHistory(int partition, String job) {
    String history = keys.history(partition, job);
    String key = keys.job(partition, job);
    return reader
        .exists(key)
        .compose(
            there ->
                there
                    ? Future.succeededFuture()
                    : reader
                        .exists(keys.damaged(key))
                        .compose(putAway -> verifier.settle(withoutJob(key, history, putAway))));
  }

  /**
   * Suspects a history without its job. The history of a job that was moved aside is moved aside
   * too.
   */
  private Suspicion withoutJob(String key, String history, boolean isPutAway) {
    ConditionalCommands steps =
        new ConditionalCommands().when("0", "EXISTS", key).when("1", "EXISTS", history);
    if (isPutAway) {
      putAwayHistory(steps, history);
    } else {
      steps.then("UNLINK", history);
    }
    return new Suspicion(
        FindingKind.HISTORY_WITHOUT_JOB,
        history,
        "nothing, as there is no such job",
        "a history",
        steps);
  }
}
