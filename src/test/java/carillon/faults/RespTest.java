package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespTest {
  @Test
  void theEndOfEachKindOfValueIsFoundAndOfNoPartOfIt() {
    for (String value :
        List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":1\r\n",
            ",1.5\r\n",
            "_\r\n",
            "$-1\r\n",
            "$0\r\n\r\n",
            "$6\r\nab\r\ncd\r\n",
            "*0\r\n",
            "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n_\r\n",
            ">2\r\n+a\r\n:1\r\n",
            "|1\r\n+a\r\n:1\r\n+OK\r\n")) {
      assertEquals(value.length(), Resp.end(Buffer.buffer(value + "+next\r\n"), 0), value);
      for (int i = 1; i < value.length(); i++) {
        assertEquals(-1, Resp.end(Buffer.buffer(value.substring(0, i)), 0), value + " to " + i);
      }
    }
  }

  @Test
  void theTimeIsTheSameAndLater() {
    Buffer time = Buffer.buffer("*2\r\n$10\r\n1795226436\r\n$6\r\n812345\r\n");

    assertEquals(time, Resp.later(time, Duration.ZERO));
    assertEquals(
        "*2\r\n$10\r\n1795226737\r\n$6\r\n312345\r\n",
        Resp.later(time, Duration.ofMillis(300_500)).toString());
    Buffer loading = Buffer.buffer("-LOADING\r\n");
    assertEquals(loading, Resp.later(loading, Duration.ofSeconds(1)));
  }

  @Test
  void theWordsOfACommandAreRead() {
    Buffer command = Buffer.buffer("+OK\r\n*2\r\n$4\r\nEVAL\r\n$5\r\n-- a:\r\n");

    assertEquals("EVAL", Resp.word(command, 5, 0));
    assertEquals("-- a:", Resp.word(command, 5, 1));
    assertEquals("", Resp.word(command, 5, 2));
  }
}
