package carillon.fsck;

import carillon.job.JobDefinition;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.json.view.HistoryMarkCodec;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.attempt.PurgeStore.Purge;
import carillon.store.attempt.StoredDefaults;
import carillon.store.operation.RawRedisReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Job and all data of its partition about it, as read: not all at the same instant.
 *
 * @param keys names of keys
 * @param partition in which it was found
 * @param job its key
 * @param hash its fields
 * @param fence of its collection, null for none
 * @param due score of the entry for its next occurrence, null for none
 * @param resume score of the entry that ends its pause, null for none
 * @param finished the first entry of its partition's finished jobs, null for none
 * @param index score of its member for each state, null for none
 * @param history number of entries in the list of its history: all but the newest
 */
record JobSnapshot(
    Keys keys,
    int partition,
    String job,
    Map<String, String> hash,
    String fence,
    String due,
    String resume,
    String finished,
    List<String> index,
    long history) {
  static final String EPOCH = "epoch";

  static final List<String> STATES = Stream.of(JobState.values()).map(JobState::word).toList();

  private static final List<String> NUMBERS =
      List.of(
          "openExecutions",
          "executions",
          "failures",
          "faulted",
          "skipped",
          "historyBytes",
          "streak");

  /**
   * Fields with counts, which are never less than 0, and have the form in which this program writes
   * them.
   */
  private static final List<String> COUNTS = List.of("putRevision", "attemptRevision", EPOCH);

  static final Pattern COUNT = Pattern.compile("0|[1-9]\\d{0,14}");

  String field(String name) {
    return hash.get(name);
  }

  /** Whether the job or its collection was deleted: its remains wait to be removed. */
  boolean isDeleted() {
    return (hash.containsKey("deleted") && !hash.containsKey("revision"))
        || CleanupCheck.isDeleted(fence, field("epoch"));
  }

  /** Returns the least epoch that is not deleted. For an existing job nothing more is known. */
  long leastEpoch() {
    return CleanupCheck.dead(fence) + 1;
  }

  JobState state() {
    return StoredDefaults.state(field("state"));
  }

  boolean isExhausted() {
    return hash.containsKey("lastOccurrenceTaken");
  }

  long openExecutions() {
    return hash.containsKey("openExecutions") ? Long.parseLong(field("openExecutions")) : 0;
  }

  Optional<Instant> next() {
    try {
      return Optional.ofNullable(field("next")).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  JobDefinition definition() {
    return StoredJson.readJob(new JobKey(job), field("definition"));
  }

  Instant created() {
    return StoredDefaults.created(this::field);
  }

  /**
   * Returns its entry among the finished jobs: the end of its newest history entry, or now without
   * one.
   */
  Purge purge(Instant now) {
    return Purge.of(
        job, hash.containsKey("latest") ? StoredJson.readHistory(field("latest")).end() : now);
  }

  int occurrence() {
    return hash.containsKey("occurrence") ? Integer.parseInt(field("occurrence")) : 1;
  }

  String key() {
    return keys.job(partition, job);
  }

  /** Index of the job's entry in {@code due} while that waits for a place. */
  String deferredKey() {
    return keys.deferred(partition, definition().action().call().destination().authority());
  }

  String dueKey() {
    return keys.due(partition);
  }

  String finishedKey() {
    return keys.finished(partition);
  }

  String indexKey() {
    return keys.jobs(partition, new JobKey(job).collection());
  }

  String historyKey() {
    return keys.history(partition, job);
  }

  String dueMember() {
    return "job:" + job;
  }

  String resumeMember() {
    return WaitingCheck.RESUME + job;
  }

  /** Returns when its pause ends automatically. */
  Optional<Instant> pausedUntil() {
    return Optional.ofNullable(field("pause"))
        .filter(any -> state() == JobState.DISABLED)
        .flatMap(text -> StoredJson.readPause(text).until());
  }

  /** Returns its member of the index in the state that it is in. */
  String indexMember() {
    return indexMember(state().word());
  }

  String indexMember(String state) {
    return state + "/" + new JobKey(job).name();
  }

  /** Returns the required fields that are unreadable; empty if all can be read. */
  Optional<String> unreadable() {
    List<String> missing =
        Stream.of("revision", "definition").filter(field -> !hash.containsKey(field)).toList();
    if (!missing.isEmpty()) {
      return Optional.of("without " + String.join(", ", missing));
    }
    Optional<String> strange =
        Stream.of("revision", "definition", "state", "created", "name")
            .filter(field -> hash.containsKey(field) && !RawRedisReader.isUtf8(field(field)))
            .findFirst();
    if (strange.isPresent()) {
      return strange.map(field -> field + ", which is not UTF-8: " + field(field));
    }
    try {
      if (!COUNT.matcher(field("revision")).matches()) {
        return Optional.of("revision " + field("revision"));
      }
      state();
      created();
      definition();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return Optional.ofNullable(field("name"))
        .filter(name -> !name.isEmpty() && !job.endsWith("/" + name.toLowerCase(Locale.ROOT)))
        .map(name -> "name " + name);
  }

  /** The optional fields that cannot be read. */
  List<String> unreadableExtras() {
    Set<String> bad = new LinkedHashSet<>();
    for (String field : COUNTS) {
      if (hash.containsKey(field) && !COUNT.matcher(field(field)).matches()) {
        bad.add(field);
      }
    }
    if (hash.containsKey("occurrence") && !isOccurrence(field("occurrence"))) {
      bad.add("occurrence");
    }
    for (String field : NUMBERS) {
      if (hash.containsKey(field) && !field(field).matches("-?\\d{1,18}")) {
        bad.add(field);
      }
    }
    for (String field : List.of("last", "modified", "claimedOccurrence", "requestedAt")) {
      if (hash.containsKey(field) && !isInstant(field(field))) {
        bad.add(field);
      }
    }
    if (hash.containsKey("latest") && StoredJson.findHistory(field("latest")).isEmpty()) {
      bad.add("latest");
    }
    if (hash.containsKey(HistoryMarkCodec.FIELD)
        && !HistoryMarkCodec.isReadable(field(HistoryMarkCodec.FIELD))) {
      bad.add(HistoryMarkCodec.FIELD);
    }
    if (hash.containsKey("pause") && !isPause(field("pause"))) {
      bad.add("pause");
    }
    if (hash.containsKey("heldAttempt") && !WaitingCheck.isAttempt(field("heldAttempt"))) {
      bad.add("heldAttempt");
    }
    hash.forEach(
        (field, value) -> {
          if (!RawRedisReader.isUtf8(value)) {
            bad.add(field);
          }
        });
    return List.copyOf(bad);
  }

  private static boolean isOccurrence(String text) {
    return COUNT.matcher(text).matches()
        && !text.equals("0")
        && Long.parseLong(text) <= Integer.MAX_VALUE;
  }

  private static boolean isPause(String text) {
    try {
      StoredJson.readPause(text);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** The revision that the attempts of its executions under way carry. */
  String attemptRevision() {
    return hash.getOrDefault("attemptRevision", field("revision"));
  }

  private static boolean isInstant(String text) {
    try {
      Instant.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  boolean isKeyOfAJob() {
    try {
      return JobKey.hasItsForm(job) && new JobKey(job).jobName().key().equals(job);
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Returns the condition that the job is unchanged since it was read, and in the same state. */
  ConditionalCommands unchanged() {
    return same(same(new ConditionalCommands(), "revision"), "state")
        .whenSame(fence, "HGET", keys.epochs(partition), new JobKey(job).collection());
  }

  /** Adds the condition that a field is unchanged. */
  ConditionalCommands same(ConditionalCommands commands, String field) {
    return RawRedisReader.whenSame(commands, key(), field, field(field));
  }

  /** The condition that it is {@link #unchanged}, and its schedule has not moved on. */
  ConditionalCommands sameSchedule() {
    return unchanged()
        .whenSame(field("next"), "HGET", key(), "next")
        .whenSame(field("lastOccurrenceTaken"), "HGET", key(), "lastOccurrenceTaken")
        .whenSame(field("heldAttempt"), "HGET", key(), "heldAttempt")
        .whenSame(field("openExecutions"), "HGET", key(), "openExecutions");
  }
}
