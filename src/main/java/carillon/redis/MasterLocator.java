package carillon.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the Sentinels where the master is. All are asked and the address that most of them name
 * counts, so that one that was cut off, or has just come back, does not mislead.
 */
final class MasterLocator {
  private final Vertx vertx;
  private final RedisLinkOptions setup;
  private final RedisConnectOptions access;

  MasterLocator(Vertx vertx, RedisLinkOptions setup, RedisConnectOptions access) {
    this.vertx = vertx;
    this.setup = setup;
    this.access = access;
  }

  /** Fails with STORE_UNAVAILABLE when none of them knows. */
  Future<HostPort> master() {
    List<Future<Optional<HostPort>>> asked = setup.uris().stream().map(this::ask).toList();
    return Future.join(asked).transform(done -> elect(asked));
  }

  private Future<HostPort> elect(List<Future<Optional<HostPort>>> answers) {
    Map<HostPort, Integer> votes = new LinkedHashMap<>();
    answers.stream()
        .filter(Future::succeeded)
        .flatMap(answer -> answer.result().stream())
        .forEach(address -> votes.merge(address, 1, Integer::sum));
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(winner -> Future.succeededFuture(winner.getKey()))
        .orElseGet(() -> Future.failedFuture(nobodyKnows(answers)));
  }

  private Throwable nobodyKnows(List<Future<Optional<HostPort>>> answers) {
    String reason =
        answers.stream()
            .filter(Future::failed)
            .map(answer -> RedisErrors.text(answer.cause()))
            .findFirst()
            .orElse("they watch no master of that name");
    return RedisErrors.unavailable(
        "no Sentinel names the master '" + setup.settings().masterName() + "': " + reason);
  }

  private Future<Optional<HostPort>> ask(URI sentinel) {
    Request question =
        Request.cmd(Command.SENTINEL)
            .arg("get-master-addr-by-name")
            .arg(setup.settings().masterName());
    return OneShotRequest.ask(vertx, setup, access.sentinel(sentinel), question)
        .map(MasterLocator::address);
  }

  private static Optional<HostPort> address(Response reply) {
    return reply == null
        ? Optional.empty()
        : Optional.of(new HostPort(reply.get(0).toString(), reply.get(1).toInteger()));
  }
}
