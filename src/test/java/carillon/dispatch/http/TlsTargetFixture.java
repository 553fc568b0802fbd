package carillon.dispatch.http;

import carillon.support.Await;
import carillon.support.TestCertificate;
import carillon.support.TestClock;
import carillon.support.TokenServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with TLS targets, an authority for tokens, and a caller that trusts both. */
abstract class TlsTargetFixture {
  static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir static Path dir;
  static TestCertificate server;
  static TestCertificate alice;
  static TestCertificate bob;

  final Vertx vertx = Vertx.vertx();
  final TestClock clock = new TestClock(START);
  final List<String> seen = new CopyOnWriteArrayList<>();
  TokenServer authority;
  Caller caller;

  @BeforeAll
  static void makeCertificates() {
    server = TestCertificate.make(dir, "localhost", "server");
    alice = TestCertificate.make(dir, "alice", "canary-a");
    bob = TestCertificate.make(dir, "bob", "canary-b");
  }

  @BeforeEach
  void start() {
    authority = new TokenServer(vertx, clock);
    caller = new Caller(vertx, clock, server.pem().toString(), authority.authority());
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  String serve(HttpServerOptions options, Consumer<HttpServerRequest> handler) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setKeyCertOptions(
            new PfxOptions().setPath(server.pfx().toString()).setPassword(server.password()));
    int port =
        Await.result(
                vertx
                    .createHttpServer(options)
                    .requestHandler(handler::accept)
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return "https://localhost:" + port + "/";
  }

  String serve(Consumer<HttpServerRequest> handler) {
    return serve(new HttpServerOptions(), handler);
  }
}
