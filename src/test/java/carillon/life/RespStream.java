package carillon.life;

import carillon.faults.Resp;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Stream of messages of Redis' protocol that arrive in pieces. */
final class RespStream {
  private Buffer rest = Buffer.buffer();

  /** Returns the messages that these bytes complete. */
  List<Buffer> add(Buffer bytes) {
    rest.appendBuffer(bytes);
    List<Buffer> whole = new ArrayList<>();
    int start = 0;
    int end = 0;
    while (start < rest.length() && (end = Resp.end(rest, start)) > 0) {
      whole.add(rest.getBuffer(start, end));
      start = end;
    }
    rest = rest.getBuffer(start, rest.length());
    return whole;
  }
}
