package carillon.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loader of settings. In rising order of precedence: the defaults, a YAML file, environment
 * variables named after the key's path ({@code dispatch.maxInFlight} is {@code
 * CARILLON_DISPATCH_MAX_IN_FLIGHT}). Keys of the file and {@code CARILLON_} variables that no
 * setting has are problems; all problems are reported together. Blocks while it reads the file.
 */
public final class SettingsLoader {
  static final String VARIABLE_PREFIX = "CARILLON_";
  private static final String CONF = "--conf";
  private static final YAMLMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final List<String> problems = new ArrayList<>();

  private SettingsLoader() {}

  /**
   * Loads Carillon's settings for a command line of {@code [--conf FILE]}.
   *
   * @throws SettingsException when anything is wrong with the arguments, the file or the
   *     environment
   */
  public static Settings load(List<String> arguments, Map<String, String> environment) {
    SettingsLoader loader = new SettingsLoader();
    Optional<Path> file = loader.parse(arguments);
    return loader.read(Settings.defaults(), file, environment);
  }

  /**
   * Loads a tree of records. A component that is a record is a section; others are int, long,
   * boolean, String, Duration, Path, URI, an enum, or a List of these.
   *
   * @param defaults the schema, with the default of each settingwhere
   * @throws SettingsException when anything is wrong with the file or the environment
   */
  public static <T extends Record> T load(
      T defaults, Optional<Path> file, Map<String, String> environment) {
    return new SettingsLoader().read(defaults, file, environment);
  }

  private <T extends Record> T read(
      T defaults, Optional<Path> file, Map<String, String> environment) {
    JsonNode tree = file.map(this::tree).orElseGet(MissingNode::getInstance);
    Binder binder = new Binder(environment, file.map(Path::toString).orElse(""));
    T settings = binder.bind(defaults, tree);
    problems.addAll(binder.problems());
    if (!problems.isEmpty()) {
      throw new SettingsException(problems, List.of());
    }
    return settings;
  }

  private Optional<Path> parse(List<String> arguments) {
    Optional<Path> file = Optional.empty();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      if (argument.equals(CONF) && rest.hasNext() && file.isEmpty()) {
        file = Optional.of(Path.of(rest.next()));
      } else {
        problems.add(argument + ": the only argument is " + CONF + " FILE, once");
      }
    }
    return file;
  }

  /** The file's content; missing when it is empty or cannot be read. */
  private JsonNode tree(Path file) {
    try {
      return YAML.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      problems.add(
          file + ", line " + e.getLocation().getLineNr() + ": is not valid YAML: " + reason(e));
    } catch (IOException e) {
      problems.add(file + ": cannot be read: " + reason(e));
    }
    return MissingNode.getInstance();
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e instanceof CharacterCodingException ? "it is not UTF-8" : e.getMessage();
  }

  /** The first line: the others quote the file, which may hold a password. */
  private static String reason(JsonProcessingException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("unreadable");
  }
}
