package carillon.dispatch;

import carillon.config.QueuesSettings;
import carillon.dispatch.call.ActionInvoker;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.job.action.ActionCall;
import carillon.job.action.RedisListCall;
import carillon.job.action.RedisStreamCall;
import carillon.job.attempt.Attempt;
import carillon.job.name.CollectionName;
import carillon.job.name.ShortName;
import carillon.json.text.Timestamps;
import carillon.redis.route.RedisErrors;
import carillon.store.collection.RedisQueueStore;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Invoker of the actions that add to streams and lists of the scheduler's own Redis. An execution
 * adds once, even if its attempts are repeated.
 */
final class RedisQueueInvoker implements ActionInvoker<ActionCall> {
  private static final String STREAM = "Redis Stream Action";
  private static final String SWITCHED_OFF = "queues in Redis are switched off (queues.redis)";
  private static final String LIST = "Redis List Action";

  private final InstantSource clock;
  private final QueuesSettings settings;
  private final RedisQueueStore queues;

  RedisQueueInvoker(InstantSource clock, QueuesSettings settings, RedisQueueStore queues) {
    this.clock = clock;
    this.settings = settings;
    this.queues = queues;
  }

  @Override
  public Future<AttemptResult> invoke(
      Attempt attempt, String name, ActionCall call, CallOptions options, Runnable check) {
    check.run();
    if (call instanceof RedisStreamCall stream) {
      return attempt(STREAM, stream.stream(), options, () -> add(attempt, name, stream));
    }
    RedisListCall list = (RedisListCall) call;
    return attempt(LIST, list.list(), options, () -> push(attempt, name, list));
  }

  private Future<RedisQueueStore.Added> add(Attempt attempt, String name, RedisStreamCall call) {
    Map<String, String> entry = entry(attempt, name, call.message());
    call.fields().forEach(entry::putIfAbsent);
    return queues.addToStream(
        queue(attempt, call.stream(), call.maxLength()), attempt.deliveryId(), entry);
  }

  private Future<RedisQueueStore.Added> push(Attempt attempt, String name, RedisListCall call) {
    JsonObject entry = new JsonObject();
    entry(attempt, name, call.message()).forEach(entry::put);
    return queues.push(
        call.side(),
        queue(attempt, call.list(), call.maxLength()),
        attempt.deliveryId(),
        entry.encode());
  }

  /**
   * Returns the fields that identify the execution to a consumer, {@link
   * RedisStreamCall#OWN_FIELDS}.
   */
  private static Map<String, String> entry(Attempt attempt, String name, String message) {
    ShortName job = ShortName.parse(name);
    CollectionName scope = CollectionName.parse(attempt.collection());
    Map<String, String> entry = new LinkedHashMap<>();
    entry.put("execution", attempt.executionId());
    entry.put("subscription", scope.subscription());
    entry.put("group", scope.group());
    entry.put("collection", job.collection());
    entry.put("job", job.job());
    entry.put("due", Timestamps.format(attempt.dueAt()));
    entry.put("message", message);
    return entry;
  }

  private RedisQueueStore.Queue queue(Attempt attempt, String name, int maxLength) {
    int wanted = maxLength == RedisStreamCall.UNSPECIFIED ? settings.redisLength() : maxLength;
    return new RedisQueueStore.Queue(attempt.job(), name, wanted, settings);
  }

  private Future<AttemptResult> attempt(
      String action,
      String queue,
      CallOptions options,
      Supplier<Future<RedisQueueStore.Added>> adding) {
    Instant start = clock.instant();
    String failed = action + " - Request to '" + queue + "' failed: ";
    if (!settings.redis()) {
      return Future.succeededFuture(result(false, start, failed + SWITCHED_OFF));
    }
    return adding
        .get()
        .timeout(options.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .map(added -> result(true, start, action + " - Added to '" + queue + "'" + how(added)))
        .recover(failure -> Future.succeededFuture(result(false, start, failed + cause(failure))));
  }

  private AttemptResult result(boolean succeeded, Instant start, String message) {
    return new AttemptResult(succeeded, start, clock.instant(), message);
  }

  private static String how(RedisQueueStore.Added added) {
    if (added.isRepeat()) {
      return " by an earlier attempt";
    }
    return (added.id().isEmpty() ? "" : " as " + added.id())
        + ", entries: "
        + added.entries()
        + (added.dropped() == 0 ? "" : ", oldest dropped: " + added.dropped());
  }

  private String cause(Throwable failure) {
    if (failure instanceof RedisQueueStore.TooManyException) {
      return "the collection has as many queues as it may, "
          + settings.redisQueues()
          + " (queues.redisQueues)";
    }
    if (failure instanceof TimeoutException) {
      return "Redis did not answer in time";
    }
    if (RedisErrors.isUnavailable(failure)) {
      return failure.getMessage();
    }
    return RedisErrors.isWrongType(failure)
        ? "the key holds something else"
        : "Redis refused the entry";
  }
}
