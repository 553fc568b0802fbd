package carillon.store.operation;

import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.job.NameSlice;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Figures for operators, over all partitions: number of jobs, due work by time, and the state of
 * Redis. Each figure costs one bounded script in every partition, for any number of jobs. Confined
 * to the event loop of its link.
 */
public final class Statistics {
  private static final Script<long[]> COUNT_JOBS =
      Script.returning("count_jobs", Statistics::counts);
  private static final Script<long[]> COUNT_DUE = Script.returning("count_due", Statistics::counts);

  /** Number of collections that one script counts. */
  private static final int SLICE = 64;

  private final RedisLink link;
  private final Keys keys;

  public Statistics(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Returns how many jobs some collections have, for every state. */
  public Future<Map<JobState, Long>> jobs(List<CollectionName> collections) {
    List<Future<List<long[]>>> slices = new ArrayList<>();
    for (int from = 0; from < collections.size(); from += SLICE) {
      List<CollectionName> slice =
          collections.subList(from, Math.min(from + SLICE, collections.size()));
      slices.add(Partitions.all(keys, partition -> countJobs(slice, partition)));
    }
    return Future.all(slices)
        .map(
            all ->
                byState(
                    sum(
                        slices.stream().flatMap(slice -> slice.result().stream()),
                        NameSlice.ALL_STATES.size())));
  }

  private Future<long[]> countJobs(List<CollectionName> collections, int partition) {
    return COUNT_JOBS
        .on(link)
        .keys("jobs", collections.stream().map(one -> keys.jobs(partition, one.key())).toList())
        .args("states", NameSlice.ALL_STATES)
        .run();
  }

  private static long[] counts(Response reply) {
    return reply.stream().mapToLong(Response::toLong).toArray();
  }

  private static Map<JobState, Long> byState(long[] counts) {
    Map<JobState, Long> states = new EnumMap<>(JobState.class);
    for (int i = 0; i < counts.length; i++) {
      states.put(JobState.ofWord(NameSlice.ALL_STATES.get(i)), counts[i]);
    }
    return states;
  }

  /**
   * Numbers of occurrences, retries and removals of finished jobs that are due in consecutive spans
   * of time. A recurring job counts only with its next occurrence.
   *
   * @param from start of the first span
   * @param width width of each span
   * @param before number of entries due before the first span
   * @param counts number of entries due in each span
   */
  public record Due(Instant from, Duration width, long before, List<Long> counts) {}

  /**
   * Counts the due entries.
   *
   * @param spans 1..256
   */
  public Future<Due> due(Instant from, Duration width, int spans) {
    return Partitions.all(
            keys,
            partition ->
                COUNT_DUE
                    .on(link)
                    .key("due", keys.due(partition))
                    .millis("from", from)
                    .arg("width", width.toMillis())
                    .arg("spans", spans)
                    .run())
        .map(
            all -> {
              long[] counts = sum(all.stream(), spans + 1);
              return new Due(
                  from, width, counts[0], Arrays.stream(counts, 1, spans + 1).boxed().toList());
            });
  }

  private static long[] sum(Stream<long[]> replies, int size) {
    long[] sums = new long[size];
    replies.forEach(counts -> Arrays.setAll(sums, i -> sums[i] + counts[i]));
    return sums;
  }

  /** Returns the fields of INFO by name, for every server that holds keys. */
  public Future<List<Map<String, String>>> servers() {
    return link.sendToAll(
            () ->
                Request.cmd(Command.INFO)
                    .arg("server")
                    .arg("clients")
                    .arg("memory")
                    .arg("persistence")
                    .arg("stats")
                    .arg("replication"))
        .map(infos -> infos.stream().map(info -> fields(info.toString())).toList());
  }

  private static Map<String, String> fields(String info) {
    return info.lines()
        .map(line -> line.split(":", 2))
        .filter(field -> field.length == 2)
        .collect(Collectors.toMap(field -> field[0], field -> field[1], (a, b) -> a));
  }
}
