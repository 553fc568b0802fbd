package carillon.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which node a command speaks to, and how it proves who asks. */
public final class ApiClientOptions {
  /** Environment variables of the commands, which are no settings of a node. */
  public static final Set<String> VARIABLES =
      Set.of(
          "CARILLON_URL",
          "CARILLON_KEY",
          "CARILLON_KEY_FILE",
          "CARILLON_CA",
          "CARILLON_SUBSCRIPTION",
          "CARILLON_GROUP");

  /** What a header may hold; never quoted, as it may be a secret. */
  private static final Pattern KEY = Pattern.compile("[!-~]{1,512}");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Where a node is. Default: CARILLON_URL, else http://127.0.0.1:8080.")
  private String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "API key. Default: CARILLON_KEY. Others on this machine can see it among the arguments:"
              + " better in the environment or in a file.")
  private String key;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File with the API key. Default: CARILLON_KEY_FILE.")
  private Path keyFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "PEM file with the certificates that an https node is trusted by. Default: CARILLON_CA,"
              + " else those that Java trusts.")
  private Path ca;

  /** What was typed at this level is one of these. */
  public boolean isGiven() {
    return Stream.of(url, key, keyFile, ca).anyMatch(Objects::nonNull);
  }

  /** The node, which is not spoken to yet. */
  ApiClient node() {
    Optional<Path> trusted =
        typed(level -> level.ca).or(() -> variable("CARILLON_CA").map(Path::of));
    return new ApiClient(base(), key(), trusted.map(CaFile::in));
  }

  private <T> Optional<T> typed(Function<ApiClientOptions, T> option) {
    return InheritedOptions.of(command, ApiClientOptions.class).stream()
        .map(option)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(text -> !text.isEmpty());
  }

  private URI base() {
    String address =
        typed(level -> level.url)
            .or(() -> variable("CARILLON_URL"))
            .orElse("http://127.0.0.1:8080");
    try {
      URI base = URI.create(address.replaceAll("/+$", ""));
      boolean isHttp = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
      if (isHttp && base.getHost() != null && base.getRawQuery() == null) {
        return base;
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw CommandException.usage(
        "--url must be http://HOST[:PORT] or https://..., was '" + address + "'");
  }

  /** The one that is nearer to whoever typed wins: an option before the environment. */
  private Optional<String> key() {
    Optional<String> found =
        typed(ApiClientOptions::typedKey)
            .or(() -> variable("CARILLON_KEY_FILE").map(file -> read(Path.of(file))))
            .or(() -> variable("CARILLON_KEY"))
            .filter(text -> !text.isEmpty());
    if (found.filter(text -> !KEY.matcher(text).matches()).isPresent()) {
      throw CommandException.usage("the API key must be one word of printable ASCII characters");
    }
    return found;
  }

  private String typedKey() {
    if (key != null || keyFile == null) {
      return key;
    }
    return read(keyFile);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw CommandException.usage("--key-file " + file + " cannot be read: " + IoErrorText.of(e));
    }
  }
}
