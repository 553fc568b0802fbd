package carillon.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A scheduler that a comparison can start: a folder with {@code peer.json}, the script that runs it
 * and the request that submits a job to it. Of its variants the default one counts.
 *
 * @param title name and version, for people
 * @param store what it keeps its jobs in
 * @param run the script, which stays in the foreground
 * @param ready path that answers below 500 once jobs are accepted
 * @param submit the template of the request
 * @param environment of the script, beside what every peer is given
 * @param storeSettings {@code directive value} of its Redis
 */
record Peer(
    String name,
    String title,
    Store store,
    Path run,
    String ready,
    RequestTemplate submit,
    Map<String, String> environment,
    List<String> storeSettings) {
  private static final String DESCRIPTION = "peer.json";

  /** What a scheduler keeps its jobs in; the name in lower case is what {@code peer.json} says. */
  enum Store {
    /** A Redis of its own, started for it. */
    REDIS,
    /** A PostgreSQL of its own. */
    POSTGRES,
    /** Files of its own. */
    DIR,
    /** Its memory. */
    NONE
  }

  /** The folders of schedulers in a folder, in order of name. */
  static List<Path> folders(Path parent) {
    try (Stream<Path> folders = Files.list(parent)) {
      return folders.filter(folder -> Files.exists(folder.resolve(DESCRIPTION))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + parent, e);
    }
  }

  /**
   * Reads a folder.
   *
   * @throws IllegalArgumentException when it says what is not understood
   * @throws UncheckedIOException when a file cannot be read
   */
  static Peer read(Path folder, Map<String, String> environment) {
    try {
      JsonNode json = new ObjectMapper().readTree(folder.resolve(DESCRIPTION).toFile());
      JsonNode variant = json.path("variants").path("default");
      String name = folder.getFileName().toString();
      Path template =
          folder.resolve(RequestTemplate.expand(text(json, "submit", "submit.http"), environment));
      return new Peer(
          name,
          text(json, "title", name),
          Store.valueOf(text(json, "store", "none").toUpperCase(Locale.ROOT)),
          folder.resolve(text(json, "run", "run.sh")).toAbsolutePath(),
          RequestTemplate.expand(text(json, "ready", "/"), environment),
          RequestTemplate.parse(Files.readString(template), environment),
          variables(variant.path("env")),
          storeSettings(variant.path("store").path("conf")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the peer " + folder, e);
    }
  }

  private static String text(JsonNode json, String field, String other) {
    return json.path(field).asText(other);
  }

  private static Map<String, String> variables(JsonNode env) {
    Map<String, String> variables = new HashMap<>();
    env.properties().forEach(each -> variables.put(each.getKey(), each.getValue().asText()));
    return variables;
  }

  /** From {@code ["--directive", "value", ...]}, the arguments of {@code redis-server}. */
  private static List<String> storeSettings(JsonNode conf) {
    List<String> settings = new ArrayList<>();
    for (int i = 0; i + 1 < conf.size(); i += 2) {
      settings.add(conf.get(i).asText().replaceFirst("^--", "") + " " + conf.get(i + 1).asText());
    }
    return settings;
  }
}
