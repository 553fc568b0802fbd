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
 * Scheduler that a comparison can start. Its folder has {@code peer.json}, the script to run the
 * scheduler, and the request to submit a job. Only the default variant is measured.
 *
 * @param title name and version, for people
 * @param store kind of store for its jobs
 * @param run script, which stays in the foreground
 * @param ready path that returns a status below 500 once jobs are accepted
 * @param submit template of the request that submits a job
 * @param environment variables of the script, in addition to those that every peer is given
 * @param storeSettings settings of its Redis, each {@code directive value}
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

  /** Kind of store of a scheduler. {@code peer.json} has the name in lower case. */
  enum Store {
    /** Its own Redis, started for it. */
    REDIS,
    /** Its own PostgreSQL. */
    POSTGRES,
    /** Its own files. */
    DIR,
    /** Its memory. */
    NONE
  }

  /** Returns the folders of schedulers in a folder, sorted by name. */
  static List<Path> folders(Path parent) {
    try (Stream<Path> folders = Files.list(parent)) {
      return folders.filter(folder -> Files.exists(folder.resolve(DESCRIPTION))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + parent, e);
    }
  }

  /**
   * Reads the folder of a scheduler.
   *
   * @throws IllegalArgumentException when a store or a placeholder is unknown
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

  /** Converts {@code ["--directive", "value", ...]}, the arguments of {@code redis-server}. */
  private static List<String> storeSettings(JsonNode conf) {
    List<String> settings = new ArrayList<>();
    for (int i = 0; i + 1 < conf.size(); i += 2) {
      settings.add(conf.get(i).asText().replaceFirst("^--", "") + " " + conf.get(i + 1).asText());
    }
    return settings;
  }
}
