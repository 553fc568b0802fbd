package carillon.fsck;

import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.JobState;
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
 * A job and everything its partition holds about it, as read: not all at the same instant.
 *
 * @param keys names of keys
 * @param partition where it was found
 * @param job its key
 * @param hash its fields
 * @param fence of its collection, null for none
 * @param due score of what waits for its next occurrence, null for nothing
 * @param resume score of what waits to end its pause, null for nothing
 * @param finished the first entry of its partition's finished jobs, null for none
 * @param index score of its member for each state, null for none
 * @param history how many entries the list of its history has: all but the newest
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

  /** Never less than 0, and as this program writes them. */
  private static final List<String> COUNTS = List.of("putRevision", "attemptRevision", EPOCH);

  static final Pattern COUNT = Pattern.compile("0|[1-9]\\d{0,14}");

  String field(String name) {
    return hash.get(name);
  }

  /** True if the job was deleted, or its collection was: what is left waits to be removed. */
  boolean isDeleted() {
    return (hash.containsKey("deleted") && !hash.containsKey("revision"))
        || CleanupCheck.isDeleted(fence, field("epoch"));
  }

  /** The least epoch that is not over: of a job that is there nobody knows more. */
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

  /** Its entry among the finished jobs: when its newest history entry ended; without one, now. */
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

  /** When its pause ends by itself. */
  Optional<Instant> pausedUntil() {
    return Optional.ofNullable(field("pause"))
        .filter(any -> state() == JobState.DISABLED)
        .flatMap(text -> StoredJson.readPause(text).until());
  }

  /** Its member of the index in the state that it is in. */
  String indexMember() {
    return indexMember(state().word());
  }

  String indexMember(String state) {
    return state + "/" + new JobKey(job).name();
  }

  /** Names what cannot be read of the fields that a job must have; empty if all can be. */
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

  /** The condition that the job is the one that was read, in the state it was read in. */
  ConditionalCommands unchanged() {
    return same(same(new ConditionalCommands(), "revision"), "state")
        .whenSame(fence, "HGET", keys.epochs(partition), new JobKey(job).collection());
  }

  /** Adds the condition that a field is as it was read. */
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
