package carillon.timer;

import carillon.bus.Messages;
import carillon.bus.Messages.AttemptEnded;
import carillon.bus.TimeControl;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.VirtualClock;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Advances a virtual clock from one due instant to the next, and waits at each until all due work
 * has been performed. Retries, error actions and waiting attempts come when they are due. Calls
 * take real time. One per node; its state is confined to its event loop.
 */
public final class VirtualTime extends VerticleBase implements TimeControl {
  /** Number of polls after which due entries count as blocked by something else. */
  private static final int MAX_POLLS = 500;

  /** Pause after a poll that left due entries. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final StoreFactory storeFactory;
  private final VirtualClock clock;
  private final TimerVerticle timer;
  private Stores stores; // set once started
  private Optional<AdvanceLog> advancing = Optional.empty();

  /**
   * Creates the control of a virtual clock.
   *
   * @param timer the timer, which must be deployed before
   */
  public VirtualTime(StoreFactory storeFactory, VirtualClock clock, TimerVerticle timer) {
    this.storeFactory = storeFactory;
    this.clock = clock;
    this.timer = timer;
  }

  /** Advance under way. */
  private static final class AdvanceLog {
    private final Instant target;
    private final int maxAttempts;
    private final List<AttemptEnded> log = new ArrayList<>();
    private long skipped;

    AdvanceLog(Instant target, int maxAttempts) {
      this.target = target;
      this.maxAttempts = maxAttempts;
    }

    Instant target() {
      return target;
    }

    void ended(AttemptEnded attempt) {
      if (attempt.entry().isPresent()) {
        log.add(attempt);
      }
    }

    void skipped(long occurrences) {
      skipped += occurrences;
    }

    boolean isFull() {
      return log.size() >= maxAttempts;
    }

    Advance advanceTo(Instant now, boolean isTruncated) {
      return new Advance(now, isTruncated, skipped, sorted(log));
    }
  }

  @Override
  public Future<?> start() {
    Messages.ENDED.consume(
        vertx.eventBus(), ended -> advancing.ifPresent(advance -> advance.ended(ended)));
    Messages.SKIPPED.consume(
        vertx.eventBus(),
        skipped -> advancing.ifPresent(advance -> advance.skipped(skipped.occurrences())));
    return storeFactory.open(vertx).onSuccess(opened -> stores = opened);
  }

  @Override
  public Future<?> stop() {
    return stores == null ? Future.succeededFuture() : stores.close();
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Future<Optional<Instant>> nextDue() {
    return here(this::earliest);
  }

  @Override
  public Future<Advance> advance(UnaryOperator<Instant> target, int maxAttempts) {
    return here(
        () -> {
          if (advancing.isPresent()) {
            return Future.failedFuture(
                new JobException(ErrorCode.CONFLICT, "The clock is being advanced already."));
          }
          AdvanceLog advance = new AdvanceLog(target.apply(clock.instant()), maxAttempts);
          advancing = Optional.of(advance);
          Promise<Boolean> truncated = Promise.promise();
          timer
              .lookAtFlows() // a flow may have been put just now
              .compose(seen -> settle(MAX_POLLS))
              .onSuccess(go -> step(advance, truncated))
              .onFailure(truncated::fail);
          return truncated
              .future()
              .map(early -> advance.advanceTo(clock.instant(), early))
              .onComplete(done -> advancing = Optional.empty());
        });
  }

  /**
   * Performs the work of one due instant after the other. Each step begins in a new turn of the
   * event loop, because thousands of nested steps would overflow its stack.
   *
   * @param truncated completes with true if the advance stopped early
   */
  private void step(AdvanceLog advance, Promise<Boolean> truncated) {
    if (advance.isFull()) {
      truncated.complete(true);
      return;
    }
    earliest()
        .compose(
            next -> {
              boolean isLast = next.isEmpty() || next.get().isAfter(advance.target());
              clock.advanceTo(isLast ? advance.target() : next.get());
              return stores
                  .node()
                  .clockMark()
                  .save(clock.instant())
                  .compose(saved -> settle(MAX_POLLS))
                  .map(isLast);
            })
        .onFailure(truncated::fail)
        .onSuccess(
            isLast -> {
              if (isLast) {
                truncated.complete(false);
              } else {
                context.runOnContext(go -> step(advance, truncated));
              }
            });
  }

  /** Polls until nothing is due. Leaves entries that something else blocks. */
  private Future<Void> settle(int polls) {
    return timer
        .poll()
        .compose(polled -> timer.purge())
        .compose(purged -> timer.idle())
        .compose(idle -> timer.pollFlows())
        .compose(polled -> timer.idle())
        .compose(idle -> earliest())
        .compose(
            next ->
                next.isEmpty() || next.get().isAfter(clock.instant()) || polls == 0
                    ? Future.succeededFuture()
                    : stores.pause(PAUSE).compose(passed -> settle(polls - 1)));
  }

  /** Earliest instant at which an entry is due or a waiting attempt may pass its flow. */
  private Future<Optional<Instant>> earliest() {
    List<Future<OptionalLong>> asked =
        Stream.concat(
                IntStream.range(0, storeFactory.keys().partitions())
                    .mapToObj(partition -> stores.attempt().claims().nextDue(partition)),
                Stream.of(timer.nextDueOfFlows()))
            .toList();
    return Future.all(asked)
        .map(
            all ->
                asked.stream().flatMapToLong(found -> found.result().stream()).min().stream()
                    .mapToObj(at -> Instant.ofEpochMilli(Math.max(at, clock.millis())))
                    .findFirst());
  }

  /** Sorts the log, because attempts that are due at the same instant end in any order. */
  private static List<AttemptEnded> sorted(List<AttemptEnded> log) {
    return log.stream()
        .sorted(
            Comparator.comparing((AttemptEnded ended) -> ended.entry().get().start())
                .thenComparing(AttemptEnded::name)
                .thenComparing(ended -> ended.entry().get().dueAt())
                .thenComparing(ended -> ended.entry().get().phase())
                .thenComparing(ended -> ended.entry().get().retry()))
        .toList();
  }

  private <T> Future<T> here(Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        go -> Future.succeededFuture().compose(begun -> step.get()).onComplete(done));
    return done.future();
  }
}
