package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.EgressResolver;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.job.action.HttpCall;
import carillon.job.action.StatusSet;
import carillon.support.Await;
import carillon.support.DnsServer;
import carillon.support.Ports;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Test of a host with several addresses, some of which do not serve. */
class AddressFallbackTest {
  private static final String NAME = "several.example";
  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  private final DnsServer dns = new DnsServer();
  private final Vertx vertx = Vertx.vertx(dns.vertxOptions());
  private final Vertx servers = Vertx.vertx();
  private final AtomicInteger requests = new AtomicInteger();

  @AfterEach
  void close() {
    Await.result(vertx.close());
    Await.result(servers.close());
    dns.close();
  }

  /** Starts a server that answers, or closes each connection. */
  private int serve(String address, int port, boolean answers) {
    return Await.result(
            servers
                .createHttpServer()
                .requestHandler(
                    request -> {
                      requests.incrementAndGet();
                      if (answers) {
                        request.response().end();
                      } else {
                        request.connection().close();
                      }
                    })
                .listen(port, address))
        .actualPort();
  }

  private AttemptResult call(int port) {
    DispatchSettings dispatch =
        new DispatchSettings(10, 10, TIMEOUT, Duration.ofHours(1), 2000, "local", 5, "", false);
    EgressPolicy policy = new EgressPolicy(List.of(), true, new OwnEndpoints());
    HttpCall call =
        new HttpCall(
            false, "http://" + NAME + ":" + port + "/", "POST", Map.of(), Optional.of("body"));
    return Await.result(
        vertx
            .executeBlocking(() -> null)
            .compose(
                go -> {
                  HttpInvoker invoker =
                      PlainHttp.invoker(
                          vertx,
                          InstantSource.system(),
                          dispatch,
                          EgressResolver.of(vertx, policy));
                  return invoker
                      .invoke(
                          Caller.RUN,
                          "C/J",
                          call,
                          new CallOptions(TIMEOUT, StatusSet.SUCCESS),
                          Caller.ANY_TIME)
                      .eventually(invoker::close);
                }));
  }

  @Test
  void theNextAddressIsCalledWhenTheFirstRefuses() {
    int port = serve("127.0.0.3", Ports.free(), true);
    dns.answer(NAME, "127.0.0.1", "127.0.0.2", "127.0.0.3");

    AttemptResult result = call(port);

    assertTrue(result.succeeded(), result.message());
    assertEquals(1, requests.get());
  }

  @Test
  void theNextAddressIsCalledWhenTheFirstIsSilent() throws IOException {
    int port = serve("127.0.0.2", Ports.free(), true);
    dns.answer(NAME, "127.0.0.1", "127.0.0.2");
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      while (connects(full, waiting)) {}

      AttemptResult result = call(port);

      assertTrue(result.succeeded(), result.message());
      assertTrue(result.end().isBefore(result.start().plus(TIMEOUT)));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static boolean connects(ServerSocket server, List<Socket> waiting) throws IOException {
    Socket socket = new Socket();
    waiting.add(socket);
    try {
      socket.connect(server.getLocalSocketAddress(), 200);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void noOtherIsCalledOnceARequestWasSent() {
    int port = serve("127.0.0.1", Ports.free(), false);
    serve("127.0.0.2", port, true);
    dns.answer(NAME, "127.0.0.1", "127.0.0.2");

    AttemptResult result = call(port);

    assertFalse(result.succeeded());
    assertEquals(1, requests.get());
  }

  @Test
  void thereIsNoConnectionWhenAllRefuse() {
    int port = serve("127.0.0.3", Ports.free(), true);
    dns.answer(NAME, "127.0.0.1", "127.0.0.2");

    assertTrue(call(port).message().endsWith("failed: no connection"));
  }
}
