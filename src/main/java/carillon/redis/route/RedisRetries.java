package carillon.redis.route;

import carillon.redis.route.RedisLinkOptions.Patience;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries of steps that Redis does not answer, with pauses in between. Confined to the event loop
 * of one link.
 */
public final class RedisRetries {
  private static final Logger LOG = LoggerFactory.getLogger(RedisRetries.class);

  /**
   * Maximum time for which a start asks a silent Redis again. A virtual machine that has just
   * started may be too slow for the deadline of a command, on a busy machine many times over.
   */
  private static final Duration START = Duration.ofSeconds(30);

  /** Longest pause of a start that waits: a stop takes effect only after the current pause. */
  private static final Duration MAX_START_PAUSE = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final RedisLinkOptions setup;
  private final Backoff backoff;
  private boolean stopped;

  public RedisRetries(Vertx vertx, RedisLinkOptions setup) {
    this.vertx = vertx;
    this.setup = setup;
    this.backoff = new Backoff(setup.settings().reconnectMax());
  }

  /**
   * Repeats an idempotent step until Redis has answered it, with pauses in between; fails only for
   * other reasons, which may be thrown, or after {@link #stop}.
   */
  public <T> Future<T> persist(Supplier<Future<T>> step) {
    return repeat(step, backoff, failure -> !stopped && RedisErrors.isUnavailable(failure));
  }

  /** Ends what {@link #persist} repeats at its next failure. */
  public void stop() {
    stopped = true;
  }

  /**
   * Repeats a step of a start according to the {@link Patience} of the options: while Redis is
   * silent, for up to {@link #START}, until it is back, or never.
   */
  public <T> Future<T> atStart(Supplier<Future<T>> step) {
    Duration max = setup.settings().reconnectMax();
    Backoff pauses = new Backoff(max.compareTo(MAX_START_PAUSE) < 0 ? max : MAX_START_PAUSE);
    StartRetry retry = new StartRetry(setup);
    return repeat(step, pauses, retry).onSuccess(done -> retry.ended());
  }

  private <T> Future<T> repeat(
      Supplier<Future<T>> step, Backoff pauses, Predicate<Throwable> again) {
    return begun(step)
        .recover(
            failure ->
                again.test(failure)
                    ? new Repetition<>(vertx, step, pauses, again, Promise.<T>promise()).begun()
                    : Future.failedFuture(failure));
  }

  private static <T> Future<T> begun(Supplier<Future<T>> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Repetition of a step that has failed once. Its tries are not futures that wait for each other:
   * after an hour they would be a stack too deep.
   */
  private record Repetition<T>(
      Vertx vertx,
      Supplier<Future<T>> step,
      Backoff pauses,
      Predicate<Throwable> again,
      Promise<T> promise) {
    Future<T> begun() {
      pause(0);
      return promise.future();
    }

    private void pause(int failures) {
      vertx.setTimer(pauses.millis(failures), passed -> attempt(failures + 1));
    }

    private void attempt(int failures) {
      RedisRetries.begun(step)
          .onSuccess(promise::complete)
          .onFailure(
              failure -> {
                if (again.test(failure)) {
                  pause(failures);
                } else {
                  promise.fail(failure);
                }
              });
    }
  }

  /** Decision whether a start waits for Redis. It logs the waiting. */
  private static final class StartRetry implements Predicate<Throwable> {
    private final RedisLinkOptions setup;
    private final long begun = System.nanoTime();
    private boolean waits;

    StartRetry(RedisLinkOptions setup) {
      this.setup = setup;
    }

    @Override
    public boolean test(Throwable failure) {
      return switch (setup.patience().get()) {
        case BRIEF -> RedisErrors.isSilence(failure) && System.nanoTime() - begun < START.toNanos();
        case ENDLESS -> RedisErrors.isUnavailable(failure) && waits(failure);
        case NONE -> false;
      };
    }

    private boolean waits(Throwable failure) {
      if (!waits) {
        LOG.atWarn().addKeyValue("error", failure.getMessage()).log("the start waits for Redis");
      }
      waits = true;
      return true;
    }

    void ended() {
      if (waits) {
        LOG.atInfo().log("Redis answers, the start goes on");
      }
    }
  }

  /**
   * Growing pauses between attempts. With full jitter, the nodes that lost the same Redis do not
   * all return in step.
   *
   * @param max longest pause
   */
  record Backoff(Duration max) {
    private static final long FIRST_MS = 20;

    /** Returns the pause in milliseconds, at least 1. */
    long millis(int failures) {
      long ceiling = Math.min(max.toMillis(), FIRST_MS << Math.min(failures, 10));
      return 1 + ThreadLocalRandom.current().nextLong(ceiling);
    }
  }
}
