package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.egress.Egress;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.EgressResolver;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.job.action.HttpCall;
import carillon.job.attempt.Attempt;
import carillon.support.Await;
import carillon.support.DnsServer;
import carillon.support.Ports;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Test of a name that changes its address between the lookup and the connection, or between calls.
 * Two real servers use one port of two loopback addresses. One is allowed, the other must never
 * receive a connection.
 */
class RebindingTest {
  private static final String NAME = "rebind.example";
  private static final Attempt RUN =
      new Attempt("s/g/c/j", Instant.parse("2026-11-20T12:00:00Z"), 1, Attempt.Phase.MAIN, 1, 5, 0);

  private final DnsServer dns = new DnsServer();
  private final Vertx vertx = Vertx.vertx(dns.vertxOptions());
  private final Vertx servers = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final List<String> hosts = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger victims = new AtomicInteger();
  private int port;

  @BeforeEach
  void listen() {
    HttpServer allowed =
        Await.result(
            servers
                .createHttpServer()
                .connectionHandler(connection -> connections.incrementAndGet())
                .requestHandler(
                    request -> {
                      hosts.add(request.getHeader("Host"));
                      request.response().end();
                    })
                .listen(Ports.free(), "127.0.0.1"));
    port = allowed.actualPort();
    Await.result(
        servers
            .createNetServer()
            .connectHandler(
                socket -> {
                  victims.incrementAndGet();
                  socket.close();
                })
            .listen(port, "127.0.0.2"));
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
    Await.result(servers.close());
    dns.close();
  }

  private HttpInvoker invoker(Egress egress) {
    return Await.result(
        onLoop(
            () ->
                Future.succeededFuture(
                    PlainHttp.invoker(
                        vertx, InstantSource.system(), Settings.defaults().dispatch(), egress))));
  }

  private Egress egress() {
    EgressPolicy policy = new EgressPolicy(List.of("127.0.0.1:" + port), false, new OwnEndpoints());
    return EgressResolver.of(vertx, policy);
  }

  private <T> Future<T> onLoop(java.util.function.Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> step.get().onComplete(done));
    return done.future();
  }

  private AttemptResult call(HttpInvoker invoker) {
    HttpCall call =
        new HttpCall(false, "http://" + NAME + ":" + port + "/", "get", Map.of(), Optional.empty());
    return Await.result(
        onLoop(() -> invoker.invoke(RUN, "C/J", call, Caller.DEFAULT, Caller.ANY_TIME)));
  }

  @Test
  void theAddressThatWasCheckedIsTheOneThatIsCalled() {
    dns.answer(NAME, "127.0.0.1").answer(NAME, "127.0.0.2");

    Egress checked = egress();
    Egress late = // enough time for the resolver to drop the first answer
        (host, to) -> checked.checkAll(host, to).compose(all -> vertx.timer(50).map(passed -> all));

    AttemptResult result = call(invoker(late));

    assertTrue(result.succeeded(), result.message());
    assertEquals(List.of(NAME + ":" + port), hosts);
    assertEquals(List.of(NAME), dns.questions());
    assertEquals(0, victims.get());
  }

  @Test
  void theNextCallIsCheckedAgain() {
    dns.answer(NAME, "127.0.0.1").answer(NAME, "127.0.0.2");
    HttpInvoker invoker = invoker(egress());

    Await.until("the second look-up", () -> !call(invoker).succeeded());

    assertEquals(
        "Http Action - Request to host '"
            + NAME
            + "' failed: the host name cannot be resolved, or its address is not allowed",
        call(invoker).message());
    assertEquals(0, victims.get());
  }

  @Test
  void callsToOneAddressShareAConnection() {
    dns.answer(NAME, "127.0.0.1");
    HttpInvoker invoker = invoker(egress());

    for (int i = 0; i < 5; i++) {
      assertTrue(call(invoker).succeeded());
    }

    assertEquals(1, connections.get());
  }

  @Test
  void aConnectionToWhatWasNotCheckedIsNotUsed() {
    dns.answer(NAME, "127.0.0.1");
    Egress unchecked =
        (host, to) -> Future.succeededFuture(List.of(SocketAddress.inetSocketAddress(to, host)));

    AttemptResult result = call(invoker(unchecked));

    assertTrue(result.message().endsWith("target address not allowed"), result.message());
    assertEquals(List.of(), hosts);
  }
}
