package carillon.it;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.JobJson;
import carillon.support.Ledger;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/** Jobs of the default collection, created and read through the API. */
final class Jobs {
  static final String PATH = "/jobcollections/default/jobs/";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int AT_ONCE = 32;

  private Jobs() {}

  /** Returns a one-time job at an instant, without retries. */
  static String once(String url, Instant at) {
    return job(url).startTime(at).json();
  }

  /** Returns a one-time job that is due immediately, without retries. */
  static String now(String url) {
    return job(url).json();
  }

  /** Returns a job that runs every second from an instant on. */
  static String everySecond(String url, Instant from) {
    return job(url).startTime(from).every("second").json();
  }

  private static JobJson job(String url) {
    return JobJson.post(url).body("ding").noRetry();
  }

  /**
   * Puts {@code count} one-time jobs concurrently and adds the accepted ones to the ledger.
   *
   * @param at due time of the n-th job
   */
  static void putAll(
      CarillonProcess node, Ledger ledger, String prefix, int count, IntFunction<Instant> at) {
    Semaphore room = new Semaphore(AT_ONCE);
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String job = prefix + i;
      Instant due = at.apply(i);
      room.acquireUninterruptibly();
      puts.add(
          node.sendAsync("PUT", PATH + job, once(ledger.url(job), due))
              .whenComplete((answer, failure) -> room.release())
              .thenAccept(
                  answer -> {
                    if (answer.statusCode() != 201) {
                      throw new AssertionError(answer.statusCode() + " " + answer.body());
                    }
                    ledger.owe(job, due);
                  }));
    }
    puts.forEach(CompletableFuture::join);
  }

  static JsonNode get(CarillonProcess node, String job) {
    return answer(node, PATH + job);
  }

  /** Returns the history of a job, newest first. */
  static List<JsonNode> history(CarillonProcess node, String job) {
    return list(node, PATH + job + "/history");
  }

  /** Returns the names of the jobs in a state. */
  static List<String> inState(CarillonProcess node, String state) {
    return list(
            node, PATH.substring(0, PATH.length() - 1) + "?$filter=state%20eq%20'" + state + "'")
        .stream()
        .map(job -> job.get("id").textValue())
        .toList();
  }

  private static List<JsonNode> list(CarillonProcess node, String path) {
    List<JsonNode> all = new ArrayList<>();
    JsonNode page = answer(node, path);
    page.get("value").forEach(all::add);
    while (page.hasNonNull("nextLink")) {
      page = answer(node, page.get("nextLink").textValue());
      page.get("value").forEach(all::add);
    }
    return all;
  }

  /** Returns an answer that is not 503: a busy node may refuse at first. */
  static JsonNode answer(CarillonProcess node, String path) {
    AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
    Await.until(
        "an answer for " + path,
        () -> {
          answer.set(node.get(path));
          return answer.get().statusCode() != 503;
        });
    return read(answer.get().body());
  }

  static JsonNode read(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }

  /** Formats figures of sorted durations, in milliseconds, for the log of the build. */
  static String figures(List<Duration> sorted) {
    return sorted.isEmpty()
        ? "none"
        : "p50 %d ms, p99 %d ms, max %d ms"
            .formatted(
                percentile(sorted, 50).toMillis(),
                percentile(sorted, 99).toMillis(),
                percentile(sorted, 100).toMillis());
  }

  static Duration percentile(List<Duration> sorted, int percent) {
    return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
  }
}
