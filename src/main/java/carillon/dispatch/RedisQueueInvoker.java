package carillon.dispatch;

import carillon.codec.Timestamps;
import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.job.Call;
import carillon.job.CollectionName;
import carillon.job.RedisListCall;
import carillon.job.RedisStreamCall;
import carillon.job.Run;
import carillon.store.QueueStore;
import carillon.store.RedisLink;
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
 * Adds to streams and lists of the scheduler's own Redis. An execution adds once, whatever repeats
 * its attempts.
 */
final class RedisQueueInvoker implements Invoker<Call> {
  private static final String STREAM = "Redis Stream Action";
  private static final String SWITCHED_OFF = "queues in Redis are switched off (queues.redis)";
  private static final String LIST = "Redis List Action";

  private final InstantSource clock;
  private final DispatchSettings dispatch;
  private final boolean isOn;
  private final QueueStore.Bounds bounds;
  private final QueueStore queues;

  RedisQueueInvoker(
      InstantSource clock, DispatchSettings dispatch, QueuesSettings settings, QueueStore queues) {
    this.clock = clock;
    this.dispatch = dispatch;
    this.isOn = settings.redis();
    this.bounds =
        new QueueStore.Bounds(
            settings.redisQueues(), settings.redisLength(), settings.redisBytes());
    this.queues = queues;
  }

  @Override
  public Future<AttemptResult> invoke(Run run, String name, Call call, Runnable check) {
    check.run();
    return call instanceof RedisStreamCall stream
        ? attempt(STREAM, stream.stream(), () -> add(run, name, stream))
        : attempt(LIST, ((RedisListCall) call).list(), () -> push(run, name, (RedisListCall) call));
  }

  private Future<QueueStore.Added> add(Run run, String name, RedisStreamCall call) {
    Map<String, String> entry = entry(run, name, call.message());
    call.fields().forEach(entry::putIfAbsent);
    return queues.addToStream(queue(run, call.stream(), call.maxLength()), run.deliveryId(), entry);
  }

  private Future<QueueStore.Added> push(Run run, String name, RedisListCall call) {
    JsonObject entry = new JsonObject();
    entry(run, name, call.message()).forEach(entry::put);
    return queues.push(
        call.side(), queue(run, call.list(), call.maxLength()), run.deliveryId(), entry.encode());
  }

  /** The fields by which a consumer knows the execution, {@link RedisStreamCall#OWN_FIELDS}. */
  private static Map<String, String> entry(Run run, String name, String message) {
    int slash = name.indexOf('/');
    CollectionName scope = CollectionName.parse(run.collection());
    Map<String, String> entry = new LinkedHashMap<>();
    entry.put("execution", run.executionId());
    entry.put("subscription", scope.subscription());
    entry.put("group", scope.group());
    entry.put("collection", name.substring(0, slash));
    entry.put("job", name.substring(slash + 1));
    entry.put("due", Timestamps.format(run.nominal()));
    entry.put("message", message);
    return entry;
  }

  private QueueStore.Queue queue(Run run, String name, int maxLength) {
    int wanted = maxLength == RedisStreamCall.UNSPECIFIED ? bounds.entries() : maxLength;
    return new QueueStore.Queue(run.job(), name, wanted, bounds);
  }

  private Future<AttemptResult> attempt(
      String action, String queue, Supplier<Future<QueueStore.Added>> adding) {
    Instant start = clock.instant();
    String failed = action + " - Request to '" + queue + "' failed: ";
    if (!isOn) {
      return Future.succeededFuture(result(false, start, failed + SWITCHED_OFF));
    }
    return adding
        .get()
        .timeout(dispatch.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .map(added -> result(true, start, action + " - Added to '" + queue + "'" + how(added)))
        .recover(failure -> Future.succeededFuture(result(false, start, failed + cause(failure))));
  }

  private AttemptResult result(boolean succeeded, Instant start, String message) {
    return new AttemptResult(succeeded, start, clock.instant(), message);
  }

  private static String how(QueueStore.Added added) {
    if (added.isRepeat()) {
      return " by an earlier attempt";
    }
    return (added.id().isEmpty() ? "" : " as " + added.id())
        + ", entries: "
        + added.entries()
        + (added.dropped() == 0 ? "" : ", oldest dropped: " + added.dropped());
  }

  private String cause(Throwable failure) {
    if (failure instanceof QueueStore.TooManyException) {
      return "the collection has as many queues as it may, "
          + bounds.queues()
          + " (queues.redisQueues)";
    }
    if (RedisLink.isUnavailable(failure) || failure instanceof TimeoutException) {
      return "Redis did not answer in time";
    }
    return String.valueOf(failure.getMessage()).contains("WRONGTYPE")
        ? "the key holds something else"
        : "Redis refused the entry";
  }

  /** The connection is the dispatcher's. */
  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
