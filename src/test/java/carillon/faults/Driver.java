package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Change;
import carillon.faults.Journal.Toggle;
import carillon.support.JobJson;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Client that sends requests to the nodes in turn, as a load balancer does. It skips a node without
 * a listener, and writes each answer into the journal. Thread-safe.
 */
final class Driver {
  static final String COLLECTIONS = "/jobcollections/";
  static final String DEFAULT = "default";

  /** Separates the collection from the name of a job that is not in the default collection. */
  private static final char IN = '~';

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int AT_ONCE = 64;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final Journal journal;
  private final JournaledTarget target;
  private final Supplier<List<URI>> nodes;
  private final AtomicInteger turn = new AtomicInteger();
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final Queue<String> strange = new ConcurrentLinkedQueue<>();

  Driver(Journal journal, JournaledTarget target, Supplier<List<URI>> nodes) {
    this.journal = journal;
    this.target = target;
    this.nodes = nodes;
  }

  /** Returns the collection of a job. */
  static String collection(String job) {
    int end = job.indexOf(IN);
    return end < 0 ? DEFAULT : job.substring(0, end);
  }

  /** Returns the suite's name of a job in a collection. */
  static String job(String collection, String name) {
    return collection + IN + name;
  }

  /** Returns the path of a job in the API. */
  static String path(String job) {
    return COLLECTIONS + collection(job) + "/jobs/" + job.substring(job.indexOf(IN) + 1);
  }

  /** Puts a job. Its target follows from its name. */
  CompletableFuture<Answer> put(String job, Plan plan) {
    return change("PUT", path(job), json(job, plan), job, plan, false);
  }

  /** Changes the body of a job, which restarts its plan from now. */
  CompletableFuture<Answer> patch(String job, Plan plan) {
    String body = "{\"action\":{\"request\":{\"body\":\"dong\"}}}";
    return change("PATCH", path(job), body, job, plan, false);
  }

  CompletableFuture<Answer> delete(String job) {
    return change("DELETE", path(job), "", job, Plan.DELETED, false);
  }

  CompletableFuture<Answer> disable(String job) {
    return change("POST", path(job) + "/disable", "", job, Plan.NOTHING, false);
  }

  CompletableFuture<Answer> enable(String job, Plan plan) {
    return change("POST", path(job) + "/enable", "", job, plan, false);
  }

  CompletableFuture<Answer> run(String job, Plan plan) {
    return change("POST", path(job) + "/run", "", job, plan, true);
  }

  /** Creates or replaces a collection. */
  CompletableFuture<Integer> putCollection(String collection) {
    return ask("PUT", COLLECTIONS + collection, "{}");
  }

  CompletableFuture<Integer> putFlow(String flow, String json) {
    return ask("PUT", "/flows/" + flow, json);
  }

  /** Disables or enables all jobs of a collection. */
  CompletableFuture<Answer> toggle(String collection, boolean closes) {
    Instant sent = Instant.now();
    return ask("POST", COLLECTIONS + collection + (closes ? "/disable" : "/enable"), "")
        .handle(
            (status, failure) -> {
              Answer answer = Answer.UNKNOWN;
              if (failure == null && status < 500) {
                answer = status < 300 ? Answer.ACCEPTED : Answer.REFUSED;
              }
              journal.add(new Toggle(collection, closes, sent, Instant.now(), answer));
              return answer;
            });
  }

  /** Returns the status of the answer; fails when there is no answer. */
  private CompletableFuture<Integer> ask(String method, String path, String body) {
    List<URI> now = nodes.get();
    return send(method, path, body, now, turn.getAndIncrement(), now.size())
        .thenApply(HttpResponse::statusCode);
  }

  private CompletableFuture<Answer> change(
      String method, String path, String body, String job, Plan plan, boolean isRun) {
    Instant sent = Instant.now();
    List<URI> now = nodes.get();
    int first = turn.getAndIncrement();
    room.acquireUninterruptibly();
    return send(method, path, body, now, first, now.size())
        .handle(
            (answer, failure) -> {
              room.release();
              Answer meaning =
                  failure == null ? meaning(method, path, answer) : unanswered(failure);
              journal.add(new Change(job, plan, isRun, sent, Instant.now(), meaning));
              return meaning;
            });
  }

  private CompletableFuture<HttpResponse<String>> send(
      String method, String path, String body, List<URI> all, int turnOf, int left) {
    if (left == 0) {
      return CompletableFuture.failedFuture(new ConnectException("no node listens"));
    }
    URI base = all.get(Math.floorMod(turnOf, all.size()));
    return request(method, base.resolve(path), body)
        .exceptionallyCompose(
            failure ->
                isRefused(failure)
                    ? send(method, path, body, all, turnOf + 1, left - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<HttpResponse<String>> request(String method, URI uri, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return http.sendAsync(request, BodyHandlers.ofString());
  }

  /** Returns the answer of a node to a GET; fails when there is no answer. */
  CompletableFuture<HttpResponse<String>> get(URI node, String path) {
    room.acquireUninterruptibly();
    return request("GET", node.resolve(path), "").whenComplete((answer, failure) -> room.release());
  }

  private Answer meaning(String method, String path, HttpResponse<String> answer) {
    int status = answer.statusCode();
    if (status / 100 == 2) {
      return Answer.ACCEPTED;
    }
    if (status != 503 || answer.headers().firstValue("Retry-After").isEmpty()) {
      strange.add(method + " " + path + ": " + status + " " + answer.body());
    }
    return status / 100 == 4 ? Answer.REFUSED : Answer.UNKNOWN;
  }

  private static Answer unanswered(Throwable failure) {
    return isRefused(failure) ? Answer.REFUSED : Answer.UNKNOWN;
  }

  private static boolean isRefused(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof ConnectException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /** Unexpected answers: neither 2xx nor 503 with Retry-After. */
  List<String> strange() {
    return List.copyOf(strange);
  }

  private String json(String job, Plan plan) {
    JobJson json = JobJson.post(target.url(job)).body("ding").startTime(plan.first());
    if (!plan.every().isZero()) {
      json.recurrence(
          "{`frequency`:`second`,`interval`:%d,`count`:%d}"
              .formatted(plan.every().toSeconds(), plan.count()));
    }
    String interval = Plan.RETRY.toString();
    return switch (plan.target()) {
      case SUCCEEDS -> json.noRetry().json();
      case FAILS -> json.fixedRetry(interval, Plan.ATTEMPTS - 1).json();
      case TROUBLED -> json.fixedRetry(interval, 20).json();
    };
  }
}
