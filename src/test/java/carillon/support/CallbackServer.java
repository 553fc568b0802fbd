package carillon.support;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A target of jobs: a real HTTP server that records every call and sends the configured answers.
 * Thread-safe.
 */
public final class CallbackServer implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final Map<String, Answer> answersOfPaths = new ConcurrentHashMap<>();
  private volatile Answer answer = Answer.OK;
  private volatile boolean silent;
  private volatile Promise<Void> release;
  private volatile boolean held;

  /** A call as it arrived. Header names are case-insensitive. */
  public record Call(
      Instant at, String method, String path, Map<String, String> headers, String body) {}

  private record Answer(int status, Map<String, String> headers) {
    private static final Answer OK = new Answer(200, Map.of());
  }

  public CallbackServer() {
    server =
        Await.result(vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
  }

  private void handle(HttpServerRequest request) {
    Instant at = Instant.now();
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    request
        .body()
        .onSuccess(
            body -> {
              Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
              request.headers().forEach(header -> fields.put(header.getKey(), header.getValue()));
              // Before the call is recorded: a test that sees it may change the next answer.
              Answer given = answersOfPaths.getOrDefault(request.path(), answer);
              calls.add(
                  new Call(at, request.method().name(), request.uri(), fields, body.toString()));
              if (held) {
                release.future().onSuccess(released -> give(given, request));
              } else if (!silent) {
                give(given, request);
              }
            });
  }

  private void give(Answer answer, HttpServerRequest request) {
    open.decrementAndGet(); // before the caller gets the answer
    answer.headers().forEach(request.response()::putHeader);
    request.response().setStatusCode(answer.status()).putHeader("X-Answer", "yes").end("answer");
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.actualPort() + path;
  }

  /** Answers all later calls with this status. */
  public void answer(int newStatus) {
    answer(newStatus, Map.of());
  }

  /** Answers all later calls with this status and these headers. */
  public void answer(int newStatus, Map<String, String> newHeaders) {
    answer = new Answer(newStatus, newHeaders);
    silent = false;
  }

  /** Answers calls to this path with this status, whatever the other paths answer. */
  public void answerAt(String path, int status) {
    answersOfPaths.put(path, new Answer(status, Map.of()));
  }

  /** Accepts all later calls and never answers them. */
  public void keepSilent() {
    silent = true;
  }

  /** Accepts all later calls and answers them after {@link #release}. */
  public void hold() {
    release = Promise.promise();
    held = true;
  }

  /** Answers the held calls and all later ones. */
  public void release() {
    held = false;
    release.complete();
  }

  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Returns the maximum number of concurrent calls so far. */
  public int mostAtOnce() {
    return mostOpen.get();
  }

  /** Returns the calls to one path. */
  public List<Call> calls(String path) {
    return calls.stream().filter(call -> call.path().equals(path)).toList();
  }

  public void awaitCalls(int count) {
    Await.until(count + " calls, have " + calls.size(), () -> calls.size() >= count);
  }

  /** Forgets the calls and the answers of single paths. */
  public void forget() {
    calls.clear();
    answersOfPaths.clear();
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
