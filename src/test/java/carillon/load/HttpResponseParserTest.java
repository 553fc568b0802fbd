package carillon.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpResponseParserTest {
  private static final String CREATED =
      "HTTP/1.1 201 Created\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello";

  private final HttpResponseParser parser = new HttpResponseParser();

  @Test
  void anAnswerInOnePieceIsRead() {
    HttpResponseParser.Response answer = parser.add(Buffer.buffer(CREATED)).orElseThrow();

    assertEquals(201, answer.status());
    assertEquals("hello", answer.body());
    assertTrue(answer.isSuccess());
  }

  @Test
  void anAnswerInPiecesIsPutTogether() {
    for (int i = 0; i < CREATED.length() - 1; i++) {
      assertEquals(Optional.empty(), parser.add(Buffer.buffer(CREATED.substring(i, i + 1))));
    }

    assertEquals("hello", parser.add(Buffer.buffer("o")).orElseThrow().body());
  }

  @Test
  void oneAnswerFollowsAnother() {
    parser.add(Buffer.buffer(CREATED));

    assertEquals(
        404,
        parser
            .add(Buffer.buffer("HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n"))
            .orElseThrow()
            .status());
  }

  @Test
  void noContentNeedsNoLength() {
    assertEquals(
        204, parser.add(Buffer.buffer("HTTP/1.1 204 No Content\r\n\r\n")).orElseThrow().status());
  }

  @Test
  void whatItDoesNotUnderstandIsAnError() {
    Buffer chunked = Buffer.buffer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");

    assertThrows(IllegalStateException.class, () -> parser.add(chunked));
  }
}
