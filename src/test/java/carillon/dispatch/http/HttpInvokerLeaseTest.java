package carillon.dispatch.http;

import static carillon.dispatch.http.Caller.RUN;
import static carillon.dispatch.http.HttpInvokerTest.PATIENCE;
import static carillon.dispatch.http.HttpInvokerTest.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.egress.Egress;
import carillon.job.action.HttpCall;
import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SelfSignedCertificate;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test that a call whose claim is lost before its first byte sends nothing. */
class HttpInvokerLeaseTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  /** The lease ends during the lookup of the host. */
  @Test
  void aCallThatMayNoLongerBeMadeSendsNothing() {
    AtomicInteger calls = new AtomicInteger();
    Future<HttpServer> server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  calls.incrementAndGet();
                  request.response().end();
                })
            .listen(0, "127.0.0.1");
    URI uri = URI.create("http://127.0.0.1:" + Await.result(server).actualPort());
    AtomicBoolean held = new AtomicBoolean(true);
    Egress slow =
        (host, port) -> {
          held.set(false);
          return Future.succeededFuture(
              List.of(SocketAddress.inetSocketAddress(uri.getPort(), host)));
        };
    Runnable check =
        () -> {
          if (!held.get()) {
            throw new NotBegunException("no lease", Duration.ZERO);
          }
        };

    Future<AttemptResult> refused = call(uri, slow, check);
    assertThrows(NotBegunException.class, () -> Await.result(refused));
    assertTrue(Await.result(call(uri, slow, Caller.ANY_TIME)).succeeded());
    assertEquals(1, calls.get(), "only the later one");
  }

  private Future<AttemptResult> call(URI uri, Egress egress, Runnable check) {
    HttpCall call = new HttpCall(false, uri.toString(), "POST", Map.of(), Optional.of("body"));
    return vertx
        .executeBlocking(() -> null)
        .compose(
            go ->
                PlainHttp.invoker(vertx, InstantSource.system(), settings(PATIENCE, ""), egress)
                    .invoke(RUN, "Coll/J", call, Caller.DEFAULT, check));
  }

  private static <T> Future<T> onLoop(Context loop, Supplier<T> step) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> done.complete(step.get()));
    return done.future();
  }

  /** The process stops after the first check and continues when another node has the job. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallWhoseClaimIsLostBehindTheFirstLookSendsNothing(boolean tls) {
    AtomicInteger calls = new AtomicInteger();
    SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
    HttpServerOptions options =
        new HttpServerOptions().setSsl(tls).setKeyCertOptions(certificate.keyCertOptions());
    Future<HttpServer> server =
        vertx
            .createHttpServer(options)
            .requestHandler(
                request -> {
                  calls.incrementAndGet();
                  request.response().end();
                })
            .listen(0, "127.0.0.1");
    String uri =
        (tls ? "https" : "http") + "://localhost:" + Await.result(server).actualPort() + "/";
    HttpCall call = new HttpCall(false, uri, "POST", Map.of(), Optional.of("body"));
    AtomicInteger looks = new AtomicInteger();
    Runnable check =
        () -> {
          if (looks.incrementAndGet() == 2) {
            throw new NotBegunException("no lease", Duration.ZERO);
          }
        };
    DispatchSettings settings = settings(PATIENCE, certificate.certificatePath());
    Context loop = vertx.getOrCreateContext();
    Future<HttpInvoker> invoker =
        onLoop(loop, () -> PlainHttp.invoker(vertx, InstantSource.system(), settings));
    Supplier<Future<AttemptResult>> attempt =
        () -> invoker.result().invoke(RUN, "Coll/J", call, Caller.DEFAULT, check);
    Await.result(invoker);

    assertThrows(
        NotBegunException.class,
        () -> Await.result(onLoop(loop, attempt).compose(Function.identity())));
    assertTrue(Await.result(onLoop(loop, attempt).compose(Function.identity())).succeeded());
    assertEquals(1, calls.get(), "only the later one");
    certificate.delete();
  }
}
