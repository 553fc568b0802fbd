package carillon.faults;

import carillon.faults.Journal.Entry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Reads the history that the product recorded of each job. */
final class Histories {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Maximum number of histories to read: more would take longer than the scenario. */
  private static final int MAX_OPERATIONS = 6000;

  private final Driver driver;
  private final Journal journal;

  Histories(Driver driver, Journal journal) {
    this.driver = driver;
    this.journal = journal;
  }

  /**
   * Reads the history of each accepted job into the journal.
   *
   * @param arePurged whether finished jobs are removed in the meantime, with their histories
   * @return the jobs whose history was read
   */
  Set<String> read(URI node, boolean arePurged) {
    Set<String> jobs = new HashSet<>();
    journal.changes().stream()
        .filter(change -> change.answer() == Journal.Answer.ACCEPTED)
        .map(Journal.Change::job)
        .limit(MAX_OPERATIONS)
        .forEach(jobs::add);
    Map<String, CompletableFuture<HttpResponse<String>>> asked = new TreeMap<>();
    jobs.forEach(job -> asked.put(job, driver.get(node, Driver.path(job) + "/history")));
    asked.forEach(
        (job, answer) -> {
          if (arePurged && answer.join().statusCode() == 404) {
            jobs.remove(job);
          } else {
            read(node, job, answer.join());
          }
        });
    return jobs;
  }

  /** Reads the history of a job that is about to be deleted together with its history. */
  void read(URI node, String job) {
    read(node, job, driver.get(node, Driver.path(job) + "/history").join());
  }

  private void read(URI node, String job, HttpResponse<String> first) {
    HttpResponse<String> answer = first;
    for (int tries = 0; answer.statusCode() == 503 && tries < 5; tries++) {
      answer = driver.get(node, Driver.path(job) + "/history").join();
    }
    while (answer.statusCode() == 200) {
      JsonNode page = parse(answer.body());
      page.get("value").forEach(entry -> journal.add(entry(job, entry)));
      Optional<String> next = next(answer.body());
      if (next.isEmpty()) {
        return;
      }
      answer = driver.get(node, next.get()).join();
    }
    if (answer.statusCode() != 404) {
      throw new AssertionError("history of " + job + ": " + answer + " " + answer.body());
    }
  }

  /** Returns the link to the next page. */
  static Optional<String> next(String page) {
    JsonNode link = parse(page).path("nextLink");
    return link.isTextual()
        ? Optional.of(URI.create(link.textValue()))
            .map(uri -> uri.getRawPath() + "?" + uri.getRawQuery())
        : Optional.empty();
  }

  private static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }

  private static Entry entry(String job, JsonNode json) {
    return new Entry(
        job,
        json.get("executionId").textValue(),
        Instant.parse(json.get("expectedExecutionTime").textValue()),
        json.get("status").textValue(),
        json.get("retryCount").intValue(),
        json.get("message").textValue());
  }
}
