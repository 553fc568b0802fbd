package carillon.support;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls a target at given instants with only a timer and a client. This machine delays the calls as
 * much as those of any other program at that time. With this reference, a bound on Carillon's
 * lateness is meaningful even on a busy machine. Thread-safe.
 */
public final class Metronome implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = vertx.createHttpClient();
  private final Ledger ledger = new Ledger(Duration.ofMillis(1));
  private final AtomicInteger number = new AtomicInteger();

  /** Makes a call at this instant, or immediately if it has passed. */
  public void callAt(Instant due) {
    String job = "beat-" + number.incrementAndGet();
    ledger.owe(job, due);
    long ahead = Duration.between(Instant.now(), due).toMillis();
    vertx.setTimer(Math.max(1, ahead), passed -> call(job, due));
  }

  private void call(String job, Instant due) {
    client
        .request(HttpMethod.POST, ledger.port(), "127.0.0.1", "/" + job)
        .compose(
            request ->
                request
                    .putHeader("Idempotency-Key", job)
                    .putHeader("Carillon-Scheduled-At", due.toString())
                    .send())
        .compose(response -> response.end())
        .onFailure(failure -> System.err.println("metronome: " + failure));
  }

  /** Waits for the last call and returns the lateness of all calls, sorted. */
  public List<Duration> lateness() {
    ledger.awaitSettled(Duration.ofSeconds(60));
    return ledger.lateness();
  }

  @Override
  public void close() {
    Await.result(vertx.close());
    ledger.close();
  }
}
