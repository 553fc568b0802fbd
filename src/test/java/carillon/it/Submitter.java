package carillon.it;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Submits one-time jobs at a steady rate, whatever happens to the node. Each is due within the next
 * two seconds. Accepted jobs are added to the ledger. A refused job is not submitted again, because
 * a refusal with 503 means "unknown".
 */
final class Submitter implements AutoCloseable {
  private static final int SPREAD_MS = 2000;

  private final CarillonProcess node;
  private final Ledger ledger;
  private final String prefix;
  private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> submissions;
  private final Queue<CompletableFuture<?>> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicLong slowestNanos = new AtomicLong();
  private volatile long lastRefused = System.nanoTime();
  private volatile int acceptedAtRefusal;
  private int number; // confined to the clockwork's thread
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  Submitter(CarillonProcess node, Ledger ledger, String prefix, int perSecond) {
    this.node = node;
    this.ledger = ledger;
    this.prefix = prefix;
    submissions =
        clockwork.scheduleAtFixedRate(
            this::submit, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
  }

  private void submit() {
    int n = ++number;
    String job = prefix + n;
    // 7919 is a prime: it spreads the instants without an order.
    Instant due = Instant.now().plusMillis(n * 7919L % SPREAD_MS).truncatedTo(ChronoUnit.MILLIS);
    long sent = System.nanoTime();
    answers.add(
        node.sendAsync("PUT", Jobs.PATH + job, Jobs.once(ledger.url(job), due))
            .whenComplete(
                (answer, failure) -> {
                  slowestNanos.accumulateAndGet(System.nanoTime() - sent, Math::max);
                  if (failure == null) {
                    answered(job, due, answer);
                  } else {
                    faults.add("PUT " + job + ": " + failure);
                  }
                }));
  }

  private void answered(String job, Instant due, HttpResponse<String> answer) {
    if (answer.statusCode() == 201) {
      ledger.owe(job, due);
      accepted.incrementAndGet();
    } else if (answer.statusCode() == 503
        && answer.headers().firstValue("Retry-After").isPresent()) {
      refused.incrementAndGet();
      lastRefused = System.nanoTime();
      acceptedAtRefusal = accepted();
    } else {
      faults.add("PUT " + job + ": " + answer + " " + answer.headers().map() + answer.body());
    }
  }

  int accepted() {
    return accepted.get();
  }

  /** Returns the number of answers 503 with Retry-After. */
  int refused() {
    return refused.get();
  }

  /**
   * Waits for the first refusal, and until a second passes without one while jobs are accepted.
   * Returns the time from the first to the last refusal.
   */
  Duration awaitEndOfRefusals(Duration patience) {
    int before = refused();
    Await.until("refusals", patience, () -> refused() > before);
    long first = System.nanoTime();
    Await.until(
        "the end of refusals",
        patience,
        () ->
            System.nanoTime() - lastRefused > TimeUnit.SECONDS.toNanos(1)
                && accepted() > acceptedAtRefusal);
    return Duration.ofNanos(lastRefused - first);
  }

  Duration slowest() {
    return Duration.ofNanos(slowestNanos.get());
  }

  /** Returns requests with other answers, or without an answer. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** Stops submitting and waits until every request has an answer. */
  void finish() {
    if (submissions.isDone()) {
      throw new AssertionError("submitting has failed");
    }
    clockwork.shutdown();
    Await.until(
        "answers to all submissions",
        ProcessTestBase.PATIENCE,
        () -> clockwork.isTerminated() && answers.stream().allMatch(CompletableFuture::isDone));
  }

  /** Stops submitting. */
  @Override
  public void close() {
    clockwork.shutdownNow();
  }

  @Override
  public String toString() {
    return "accepted %d, refused %d, slowest answer %d ms"
        .formatted(accepted(), refused(), slowest().toMillis());
  }
}
