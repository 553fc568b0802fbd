package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import carillon.support.Await;
import carillon.support.HostileServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of answers in invalid HTTP, and of bodies in other forms than plain UTF-8. */
class BrokenAnswersTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private AttemptResult call(String url) {
    return new Caller(vertx, InstantSource.system(), "", URI.create("https://login.example"))
        .make(Caller.call(url, null));
  }

  private AttemptResult answered(Buffer answer) {
    return call(new RawTarget(vertx, "127.0.0.1", answer).url());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 200 OK~Content-Length: 3~Transfer-Encoding: chunked~~0~~ | it has both Content-Length and Transfer-Encoding",
        "HTTP/1.1 200 OK~Content-Length: 2~Content-Length: 3~~ok | it has several values of Content-Length, or one that is no number",
        "HTTP/1.1 200 OK~Content-Length: two~~ok | it has several values of Content-Length, or one that is no number",
        "ICY 200 OK~~ | it does not begin with HTTP/1.1 or HTTP/1.0",
        "HTTP/2 200 OK~~ | it does not begin with HTTP/1.1 or HTTP/1.0",
        "HTTP/3.0 200 OK~~ | it does not begin with HTTP/1.1 or HTTP/1.0",
        "http/1.1 200 OK~~ | it does not begin with HTTP/1.1 or HTTP/1.0",
        "HTTP/1.10 200 OK~~ | it does not begin with HTTP/1.1 or HTTP/1.0",
        "HTTP/1.1 200 OK~X: LONG~~ | its headers are too long",
        "HTTP/1.1 200 LONG~~ | its first line, or that of a chunk, is too long",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~xyz~ | a chunk of its body is malformed",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2#ok#0## | a chunk of its body is malformed",
      })
  void theHistorySaysWhatIsWrong(String answer, String fault) {
    String bytes =
        answer.replace("~", "\r\n").replace("#", "\n").replace("LONG", "x".repeat(20_000));

    CallError error = answered(Buffer.buffer(bytes)).call().error().orElseThrow();

    assertEquals("the answer is not valid HTTP: " + fault, error.cause());
    assertEquals(ErrorKind.ANSWER, error.kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2", "20", "002", "099", "000", "2000", "22222", "+200", "-200", "0200", "2x0"})
  void aStatusHasThreeDigits(String status) {
    CallError error =
        answered(Buffer.buffer("HTTP/1.1 " + status + " OK\r\nContent-Length: 0\r\n\r\n"))
            .call()
            .error()
            .orElseThrow();

    assertEquals(
        new CallError(
            ErrorKind.ANSWER,
            "the answer is not valid HTTP: its status code is not three digits from 100 to 999"),
        error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.0 200 OK", "HTTP/1.2 200 OK", "HTTP/1.9 200 OK", "HTTP/1.1 200"})
  void minorVersionsOfHttp1AreRead(String line) {
    AttemptResult result = answered(Buffer.buffer(line + "\r\nContent-Length: 2\r\n\r\nok"));

    assertTrue(result.succeeded(), result.message());
  }

  @Test
  void plainHttpWhereTlsIsExpectedIsNoTlsServer() {
    RawTarget target = new RawTarget(vertx, "127.0.0.1", "HTTP/1.1 400 Bad\r\n\r\n");

    AttemptResult result = call("https://localhost:" + target.port() + "/");

    assertTrue(result.message().endsWith("the target is not a TLS server"), result.message());
    assertEquals(
        new CallError(
            ErrorKind.TLS,
            "localhost:" + target.port() + " is not a TLS server: its answer was not encrypted"),
        result.call().error().orElseThrow());
  }

  private interface Compressor {
    OutputStream over(OutputStream out) throws IOException;
  }

  private static byte[] packed(String plain, Compressor compressor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = compressor.over(bytes)) {
      out.write(plain.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private String body(String headers, byte[] body) {
    String head = "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n";
    String message = answered(Buffer.buffer(head).appendBytes(body)).message();
    return message.substring(message.indexOf(" Body: ") + 7);
  }

  @Test
  void compressedBodiesAreDecompressed() throws IOException {
    String gzip = "Content-Encoding: gzip\r\n";
    String deflate = "Content-Encoding: deflate\r\n";

    assertEquals("größer", body(gzip, packed("größer", GZIPOutputStream::new)));
    assertEquals("größer", body(deflate, packed("größer", DeflaterOutputStream::new)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "windows-1252", "UTF-16LE", "utf-8"})
  void theCharsetOfTheAnswerCounts(String charset) {
    String type = "Content-Type: text/plain; Charset=\"" + charset + "\"\r\n";

    assertEquals("grüße", body(type, "grüße".getBytes(Charset.forName(charset))));
  }

  @Test
  void whatIsNoTextIsNamedBinary() {
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    String unknown = "Content-Type: text/plain; charset=klingon\r\n";

    assertEquals("(binary, 8 bytes)", body("", png));
    assertEquals("(binary, 8 bytes)", body("Content-Encoding: br\r\n", png));
    assertEquals("(binary, 8 bytes)", body("Content-Encoding: gzip\r\n", png));
    assertEquals("(binary, 3 bytes)", body("", new byte[] {'a', 0, 'b'}));
    assertEquals("ok", body(unknown, new byte[] {'o', 'k'}));
    assertEquals("", body("Content-Encoding: gzip\r\n", new byte[0]));
  }

  @Test
  void aBombIsCutOff() {
    try (HostileServer bomb = new HostileServer(HostileServer.Kind.BOMB)) {
      assertTrue(call(bomb.url()).message().length() < 4000);
    }
  }
}
