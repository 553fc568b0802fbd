package carillon.support;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Contents of a Redis as a node of some format left them when it was killed: commands that write
 * them again, one in a line of a file in {@code src/test/resources/format}.
 */
public final class StoredDump {
  private static final String TARGET = "http://127.0.0.1:18099";
  private static final ObjectMapper JSON = new ObjectMapper();

  private StoredDump() {}

  /**
   * The words of each command.
   *
   * @param target in place of the one that the jobs called, without a slash at its end
   */
  public static List<List<String>> commands(String file, String target) {
    try (InputStream in = StoredDump.class.getResourceAsStream("/format/" + file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<List<String>> commands = new ArrayList<>();
      for (String line : text.replace(TARGET, target).lines().toList()) {
        commands.add(List.of(JSON.readValue(line, String[].class)));
      }
      return commands;
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /** Performs them as they stand in the file. */
  public static void load(String file, RedisServer redis) {
    commands(file, TARGET).forEach(redis::perform);
  }
}
