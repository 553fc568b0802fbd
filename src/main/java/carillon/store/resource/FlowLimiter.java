package carillon.store.resource;

import carillon.flow.Flow;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowGrant.Reason;
import carillon.flow.FlowLane;
import carillon.flow.FlowRequest;
import carillon.flow.FlowRequest.Outcomes;
import carillon.job.name.WireWord;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Limiter of flows. Enforces the limits of each flow over all nodes, and grants tokens to this
 * node. A lost answer only costs tokens: each request contains all slots of the node, and a report
 * of calls is repeated. Every future may fail with {@link
 * carillon.job.name.ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class FlowLimiter {
  private static final int RADIX = 36;
  private static final Script<FlowGrant> TAKE = Script.returning("flow_take", FlowLimiter::grant);

  private final RedisLink link;
  private final Keys keys;
  private final String node;
  private final InstantSource clock;
  private final String process =
      Integer.toString(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), RADIX);
  private long calls;

  /**
   * Creates the limiter of one node.
   *
   * @param node id of the node
   */
  public FlowLimiter(RedisLink link, Keys keys, String node, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.node = node;
    this.clock = clock;
  }

  /**
   * Reports calls and requests tokens. Requests of one lane must not overlap. If it is unknown
   * whether Redis received a report of calls, the report is repeated under the same number. The
   * repeat requests no tokens, because they would be outdated on arrival.
   *
   * @param lease time after its last request from which the slots of the node are free
   * @param patience time after its start from which a probe without a report counts as lost
   * @param mayJudge whether this node may count others as silent now; not soon after Redis was
   *     unavailable, when no node could report
   */
  public Future<FlowGrant> take(
      Flow flow,
      FlowLane lane,
      FlowRequest request,
      Duration lease,
      Duration patience,
      BooleanSupplier mayJudge) {
    String call = process + " " + ++calls;
    return take(flow, lane, request, request.want(), call, lease, patience, mayJudge)
        .recover(
            unknown ->
                isTold(request)
                    ? link.persist(
                        () -> take(flow, lane, request, 0, call, lease, patience, mayJudge))
                    : Future.failedFuture(unknown));
  }

  private static boolean isTold(FlowRequest request) {
    return request.outcomes().isPresent()
        || request.retryAt().isPresent()
        || request.unused() + request.handedOn() > 0;
  }

  private Future<FlowGrant> take(
      Flow flow,
      FlowLane lane,
      FlowRequest request,
      int want,
      String call,
      Duration lease,
      Duration patience,
      BooleanSupplier mayJudge) {
    Instant now = clock.instant();
    return TAKE.on(link)
        .key("flow", keys.flow(flow.name().key()))
        .arg("node", node)
        .arg("call", call)
        .arg("now", now.toEpochMilli())
        .arg("lease", lease.toMillis())
        .arg("patience", patience.toMillis())
        .arg("limits", limits(flow, now))
        .arg("revision", flow.revision())
        .arg("slots", request.slots())
        .arg("want", want)
        .arg("oldest", text(request.oldest()))
        .arg("unused", request.unused())
        .arg("granted", request.granted())
        .arg("outcomes", request.outcomes().map(FlowLimiter::text).orElse(""))
        .arg("retry_at", text(request.retryAt()))
        .arg("handed_on", request.handedOn())
        .arg("judges", mayJudge.getAsBoolean() ? 1 : 0)
        .arg("destination", lane.suffix())
        .run();
  }

  private static FlowGrant grant(Response reply) {
    return new FlowGrant(
        reply.get(0).toInteger(),
        reply.get(1).toLong(),
        reply.get(2).toLong(),
        reply.get(3).toInteger(),
        reply.get(4).toLong(),
        WireWord.of(BreakerState.class, reply.get(5).toString()),
        reply.size() > 6
            ? Optional.of(WireWord.of(Reason.class, reply.get(6).toString()))
            : Optional.empty());
  }

  private static String text(OptionalLong millis) {
    return millis.isPresent() ? Long.toString(millis.getAsLong()) : "";
  }

  private static String text(Outcomes outcomes) {
    return outcomes.generation()
        + " "
        + outcomes.succeeded()
        + " "
        + outcomes.failed()
        + " "
        + outcomes.failedLast()
        + " "
        + outcomes.probes()
        + " "
        + outcomes.notBegun();
  }

  /** Returns the limits in the format of the script. */
  private static String limits(Flow flow, Instant now) {
    FlowDefinition definition = flow.definition();
    StringBuilder text = new StringBuilder();
    definition
        .rate()
        .ifPresent(
            rate -> {
              add(text, "limit", rate.limit());
              add(text, "per", rate.per().toMillis());
              add(text, "burst", rate.burst());
            });
    definition.parallelism().ifPresent(parallelism -> add(text, "parallelism", parallelism));
    definition.breaker().ifPresent(breaker -> add(text, breaker));
    if (!definition.heedsRetryAfter()) {
      add(text, "ignore_retry_after", 1);
    }
    if (flow.isPaused(now)) {
      add(
          text,
          "paused",
          flow.pause().orElseThrow().until().map(Instant::toEpochMilli).orElse(FlowGrant.NEVER));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, FlowDefinition.Breaker breaker) {
    breaker.consecutive().ifPresent(consecutive -> add(text, "consecutive", consecutive));
    breaker.ratio().ifPresent(ratio -> add(text, "ratio", ratio));
    add(text, "calls", breaker.calls());
    add(text, "window", breaker.window().toMillis());
    add(text, "pause", breaker.pause().toMillis());
    add(text, "max_pause", breaker.maxPause().toMillis());
    add(text, "probes", breaker.probes());
  }

  private static void add(StringBuilder text, String name, Number value) {
    text.append(text.length() == 0 ? "" : " ").append(name).append('=').append(value);
  }
}
