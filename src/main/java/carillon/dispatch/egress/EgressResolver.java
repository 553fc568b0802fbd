package carillon.dispatch.egress;

import carillon.bounded.LruMap;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolver of the hosts that jobs call. It drops addresses that the policy does not allow, and a
 * host that cannot be looked up is not called. The remaining addresses are taken round robin, IPv4
 * before IPv6 as Java has it. IPv6 addresses are used only if no other can be reached.
 */
public final class EgressResolver implements Egress {
  private static final Logger LOG = LoggerFactory.getLogger(EgressResolver.class);

  /**
   * Time for which the addresses of a name are reused without asking the resolver. The resolver
   * itself respects the name's TTL. Answers hold checked addresses, so age is no danger.
   */
  private static final Duration ANSWER_TTL = Duration.ofSeconds(1);

  private static final int MAX_REMEMBERED = 4096;

  /** Maximum number of addresses of one name; others are ignored. */
  private static final int MAX_ADDRESSES = 16;

  private final EgressPolicy policy;
  private final Function<String, Future<List<InetAddress>>> names;
  private final LongSupplier nanos;
  private final Map<CallTarget, ResolvedTarget> decisions = new LruMap<>(MAX_REMEMBERED);
  private final Map<CallTarget, Boolean> warned = new LruMap<>(MAX_REMEMBERED);

  private record CallTarget(String host, int port) {}

  /**
   * A resolver.
   *
   * @param names the addresses of a name; a failure for none
   * @param nanos monotonic clock
   */
  EgressResolver(
      EgressPolicy policy, Function<String, Future<List<InetAddress>>> names, LongSupplier nanos) {
    this.policy = policy;
    this.names = names;
    this.nanos = nanos;
  }

  /**
   * A resolver for the event loop of the caller. It asks the one of this Vert.x: hosts file and
   * DNS, never blocking, cached as long as the answers say.
   */
  public static Egress of(Vertx vertx, EgressPolicy policy) {
    return new EgressResolver(policy, namesOf(vertx), System::nanoTime);
  }

  static Function<String, Future<List<InetAddress>>> namesOf(Vertx vertx) {
    return name -> lookUp((VertxInternal) vertx, name);
  }

  private static Future<List<InetAddress>> lookUp(VertxInternal vertx, String name) {
    Promise<List<InetSocketAddress>> found = Promise.promise();
    vertx
        .nameResolver()
        .resolveAll(name, result -> found.complete(result.result(), result.cause()));
    return found
        .future()
        .map(addresses -> addresses.stream().map(InetSocketAddress::getAddress).toList());
  }

  @Override
  public Future<List<SocketAddress>> checkAll(String host, int port) {
    CallTarget target = new CallTarget(host, port);
    ResolvedTarget decision = decisions.get(target);
    return decision != null && decision.isFresh(nanos.getAsLong())
        ? decision.next()
        : decide(target);
  }

  private Future<List<SocketAddress>> decide(CallTarget target) {
    Host host;
    try {
      host = Host.parse(target.host);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(new EgressException(e.getMessage()));
    }
    if (host.literal().isPresent()) {
      return settle(target, host, List.of(host.literal().get()));
    }
    return names
        .apply(host.text())
        .transform(
            (addresses, failure) ->
                failure == null && !addresses.isEmpty()
                    ? settle(target, host, addresses)
                    : remember(target, ResolvedTarget.of(unknown(host), expiry(host))));
  }

  private static Throwable unknown(Host host) {
    return new UnknownHostException(host.text());
  }

  private Future<List<SocketAddress>> settle(
      CallTarget target, Host host, List<InetAddress> addresses) {
    List<InetAddress> allowed =
        addresses.stream().filter(a -> policy.allows(host, a, target.port)).toList();
    if (allowed.isEmpty()) {
      String advice = policy.advice(host, addresses.get(0), target.port);
      EgressException refusal =
          host.literal().isPresent() ? new EgressException(advice) : EgressException.ofName(advice);
      warn(target, refusal);
      return remember(target, ResolvedTarget.of(refusal, expiry(host)));
    }
    Map<Boolean, List<InetAddress>> families =
        allowed.stream()
            .limit(MAX_ADDRESSES)
            .collect(Collectors.partitioningBy(Inet4Address.class::isInstance));
    List<InetAddress> ipv4 = families.get(true);
    List<InetAddress> ipv6 = families.get(false);
    return remember(
        target,
        ipv4.isEmpty()
            ? ResolvedTarget.of(ipv6, List.of(), target.port, expiry(host))
            : ResolvedTarget.of(ipv4, ipv6, target.port, expiry(host)));
  }

  private long expiry(Host host) {
    return host.literal().isPresent()
        ? ResolvedTarget.NEVER
        : nanos.getAsLong() + ANSWER_TTL.toNanos();
  }

  private Future<List<SocketAddress>> remember(CallTarget target, ResolvedTarget decision) {
    decisions.put(target, decision);
    return decision.next();
  }

  /** Logs a refusal once: a job that is refused every second must not fill the log. */
  private void warn(CallTarget target, EgressException refusal) {
    if (warned.put(target, true) == null) {
      LOG.atWarn().addKeyValue("advice", refusal.advice()).log("target address not allowed");
    }
  }

  /** How many targets it knows the answer for. */
  int remembered() {
    return decisions.size();
  }

  /** Answer about a host and port: addresses taken round robin, or a failure. */
  private static final class ResolvedTarget {
    /** Expiry of literal addresses, which never change. */
    static final long NEVER = Long.MAX_VALUE;

    /** Answers, one for each address that can be the first. */
    private final List<Future<List<SocketAddress>>> answers;

    private final long expiry;
    private int next;

    private ResolvedTarget(List<Future<List<SocketAddress>>> answers, long expiry) {
      this.answers = answers;
      this.expiry = expiry;
    }

    /**
     * Returns a target with allowed addresses.
     *
     * @param allowed each is the first once, round robin
     * @param spare used when none of them can be reached
     * @param expiry nanoseconds of the caller's clock, or {@link #NEVER}
     */
    static ResolvedTarget of(
        List<InetAddress> allowed, List<InetAddress> spare, int port, long expiry) {
      List<Future<List<SocketAddress>>> answers = new ArrayList<>();
      for (int first = 0; first < allowed.size(); first++) {
        List<InetAddress> order = new ArrayList<>(allowed);
        Collections.rotate(order, -first);
        order.addAll(spare);
        answers.add(
            Future.succeededFuture(
                order.stream()
                    .map(a -> SocketAddress.inetSocketAddress(new InetSocketAddress(a, port)))
                    .toList()));
      }
      return new ResolvedTarget(answers, expiry);
    }

    static ResolvedTarget of(Throwable failure, long expiry) {
      return new ResolvedTarget(List.of(Future.failedFuture(failure)), expiry);
    }

    boolean isFresh(long now) {
      return expiry == NEVER || now - expiry < 0;
    }

    Future<List<SocketAddress>> next() {
      Future<List<SocketAddress>> answer = answers.get(next);
      next = (next + 1) % answers.size();
      return answer;
    }
  }
}
