package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import carillon.support.Await;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.InstantSource;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of 1xx answers before the final answer. */
class InterimAnswersTest {
  private static final String FINAL = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nmade";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private AttemptResult call(RawTarget target) {
    return new Caller(vertx, InstantSource.system(), "", URI.create("https://login.example"))
        .make(Caller.call(target.url(), null));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 102, 103, 104, 110, 199})
  void theAnswerIsTheOneThatFollows(int status) {
    String interim = "HTTP/1.1 " + status + " Wait\r\nLink: </a>\r\n\r\n";
    RawTarget target = new RawTarget(vertx, "127.0.0.1", interim + interim + FINAL);

    AttemptResult result = call(target);

    assertTrue(result.succeeded(), result.message());
    assertEquals(OptionalInt.of(201), result.call().statusCode());
    assertTrue(result.message().endsWith("Body: made"), result.message());
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 102, 103, 150})
  void noMoreThanAHundredAreRead(int status) {
    String interim = "HTTP/1.1 " + status + " Wait\r\n\r\n";

    assertTrue(call(new RawTarget(vertx, "127.0.0.1", interim.repeat(100) + FINAL)).succeeded());
    AttemptResult result = call(new RawTarget(vertx, "127.0.0.1", interim.repeat(101) + FINAL));

    assertFalse(result.succeeded());
    assertEquals(ErrorKind.ANSWER, result.call().error().orElseThrow().kind());
  }

  @Test
  void anUnaskedChangeOfTheProtocolIsABrokenAnswerAndEndsTheConnection() {
    RawTarget target =
        new RawTarget(
            vertx, "127.0.0.1", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + FINAL);
    Caller caller =
        new Caller(vertx, InstantSource.system(), "", URI.create("https://login.example"));

    AttemptResult result = caller.make(Caller.call(target.url(), null));
    caller.make(Caller.call(target.url(), null));

    assertEquals(ErrorKind.ANSWER, result.call().error().orElseThrow().kind());
    assertTrue(result.message().endsWith("the target answered 101 and left HTTP, unasked"));
    assertEquals(2, target.connections());
  }
}
