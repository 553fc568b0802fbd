package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.support.Await;
import carillon.support.HostileHttp2Server;
import carillon.support.HostileHttp2Server.Kind;
import carillon.support.LogCapture;
import carillon.support.TestCertificate;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Test of targets that misuse HTTP/2. */
class HostileHttp2Test {
  /** Deadline of calls that must end earlier. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  @TempDir static Path dir;
  private static TestCertificate certificate;

  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void makeCertificate() {
    certificate = TestCertificate.make(dir, "localhost", "server");
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private Caller caller(Duration timeout) {
    URI nowhere = URI.create("https://login.example");
    return new Caller(
        vertx, InstantSource.system(), certificate.pem().toString(), nowhere, timeout);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"SILENT", "AFTER_THE_END", "INTERIM"},
      mode = EnumSource.Mode.EXCLUDE)
  void aFloodEndsTheAttemptAndTheConnectionBeforeTheDeadline(Kind kind) {
    try (HostileHttp2Server server = new HostileHttp2Server(kind, certificate)) {
      AttemptResult result = caller(TIMEOUT).make(Caller.call(server.url(), null));

      assertFalse(result.succeeded());
      assertFalse(result.message().contains("no complete answer within"), result.message());
      Await.until("the end of the connection", () -> server.closed() == server.opened());
    }
  }

  @Test
  void aFloodBehindTheAnswerEndsTheConnection() {
    try (HostileHttp2Server server = new HostileHttp2Server(Kind.AFTER_THE_END, certificate)) {
      AttemptResult result = caller(TIMEOUT).make(Caller.call(server.url(), null));

      assertTrue(result.succeeded(), result.message());
      Await.until("the end of the connection", () -> server.closed() == server.opened());
    }
  }

  @Test
  void theDeadlineEndsTheConnectionAndNotOnlyTheStream() {
    try (HostileHttp2Server server = new HostileHttp2Server(Kind.SILENT, certificate)) {
      AttemptResult result = caller(Duration.ofMillis(500)).make(Caller.call(server.url(), null));

      assertTrue(result.message().contains("no complete answer within"), result.message());
      Await.until("the end of the connection", () -> server.closed() == server.opened());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatTargetsDoWrongIsNoErrorInTheLog(Kind kind) {
    try (HostileHttp2Server server = new HostileHttp2Server(kind, certificate);
        LogCapture log = new LogCapture()) {
      caller(Duration.ofSeconds(2)).make(Caller.call(server.url(), null));
      Await.until("the end of the connection", () -> server.closed() == server.opened());

      assertEquals(List.of(), log.complaints());
    }
  }

  @Test
  void interimAnswersAreSkipped() {
    try (HostileHttp2Server server = new HostileHttp2Server(Kind.INTERIM, certificate)) {
      AttemptResult result = caller(TIMEOUT).make(Caller.call(server.url(), null));

      assertTrue(result.succeeded(), result.message());
    }
  }
}
