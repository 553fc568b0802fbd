package carillon.life;

import carillon.faults.Resp;
import carillon.faults.Scripts;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;

/**
 * Command as it arrived, with its instant.
 *
 * @param name of the script or the command
 * @param form whether it is several calls of the script
 */
record SentCommand(String party, String name, Scripts.Form form, Buffer bytes, Instant at) {
  private List<Object> words() {
    return Resp.values(bytes, 0);
  }

  /** Returns the script calls of this command: itself, or the calls of the batch. */
  List<ScriptCall> calls() {
    List<Object> words = words();
    int keys = Integer.parseInt(words.get(2).toString());
    ScriptCall whole =
        new ScriptCall(
            party,
            name,
            texts(words.subList(3, 3 + keys)),
            texts(words.subList(3 + keys, words.size())),
            at);
    return switch (form) {
      case ALONE -> List.of(whole);
      case BATCH -> whole.parts();
      case MANY -> whole.many();
    };
  }

  private static List<String> texts(List<Object> words) {
    return words.stream().map(Object::toString).toList();
  }
}
