package carillon.cli.client;

import carillon.cli.client.Contexts.Server;
import carillon.cli.output.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a command that speaks to a node: its address, API key and trusted certificates. */
public class ApiClientOptions {
  /** Environment variables of the commands, which are no settings of a node. */
  public static final Set<String> VARIABLES =
      Set.of(
          "CARILLON_URL",
          "CARILLON_KEY",
          "CARILLON_KEY_FILE",
          "CARILLON_CA",
          "CARILLON_CONTEXT",
          "CARILLON_CONTEXT_FILE",
          "CARILLON_SUBSCRIPTION",
          "CARILLON_GROUP");

  /** The options of the connection. */
  public static final List<String> NAMES =
      List.of("--url", "--key", "--key-file", "--ca", "--context", "--context-file");

  /** Text that a header may hold; never quoted, as it may be a secret. */
  private static final Pattern KEY = Pattern.compile("[!-~]{1,512}");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Address of a node. Default: CARILLON_URL, else http://127.0.0.1:8080.")
  private String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "API key. Default: CARILLON_KEY. Other users of this machine can see arguments: prefer"
              + " the environment or a file.")
  private String key;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File with the API key; -: standard input. Default: CARILLON_KEY_FILE.")
  private Path keyFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "PEM file with the trusted certificates for an https node; -: standard input. Default:"
              + " CARILLON_CA, else those that Java trusts.")
  private Path ca;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "Name of a server, set by carillon context. Default: CARILLON_CONTEXT, else the context"
              + " in use; none with --url or CARILLON_URL.")
  private String context;

  @Option(
      names = "--context-file",
      paramLabel = "FILE",
      description =
          "File of contexts. Default: CARILLON_CONTEXT_FILE, else"
              + " ~/.config/carillon/contexts.yaml.")
  private Path contextFile;

  private Contexts read;

  /** True if one of these options was given at this level. */
  public boolean isGiven() {
    return Stream.of(url, key, keyFile, ca, context, contextFile).anyMatch(Objects::nonNull);
  }

  /** A client of the node; it has not connected yet. */
  public ApiClient node() {
    Optional<Path> trusted =
        typed(level -> level.ca)
            .or(() -> setting(Server::ca, () -> variable("CARILLON_CA")).map(Path::of));
    return new ApiClient(base(), key(), trusted.map(CaFile::in));
  }

  /** The contexts of the file that is meant. */
  public final Contexts contexts() {
    if (read == null) {
      read = Contexts.in(contextPath());
    }
    return read;
  }

  private Path contextPath() {
    return typed(level -> level.contextFile)
        .or(() -> variable("CARILLON_CONTEXT_FILE").map(Path::of))
        .orElseGet(
            () ->
                variable("XDG_CONFIG_HOME")
                    .map(Path::of)
                    .orElseGet(() -> Path.of(System.getProperty("user.home"), ".config"))
                    .resolve("carillon")
                    .resolve("contexts.yaml"));
  }

  /**
   * The context whose server is meant. None where the address is said otherwise: the key of a
   * context goes to its own server alone.
   */
  private Optional<Server> server() {
    Optional<String> named = typed(level -> level.context);
    boolean hasUrl = typed(level -> level.url).isPresent();
    if (named.isPresent() && hasUrl) {
      throw CommandException.usage("give one of --url and --context");
    }
    if (named.isPresent()) {
      return named.map(contexts()::named);
    }
    if (hasUrl || variable("CARILLON_URL").isPresent()) {
      return Optional.empty();
    }
    return variable("CARILLON_CONTEXT")
        .map(name -> contexts().named(name))
        .or(() -> contexts().current());
  }

  /**
   * Returns the value of a context on the command line, else of the environment, else of another
   * context.
   */
  final Optional<String> setting(
      Function<Server, Optional<String>> field, Supplier<Optional<String>> environment) {
    Optional<String> ofServer = server().flatMap(field);
    return typed(level -> level.context).isPresent()
        ? ofServer.or(environment)
        : environment.get().or(() -> ofServer);
  }

  /** Returns the server of the command line. */
  Server given() {
    if (typed(level -> level.context).isPresent()) {
      throw CommandException.usage("--context: name the context without an option here");
    }
    Optional<String> address = typed(level -> level.url);
    address.ifPresent(ApiClientOptions::address);
    return new Server(
        address,
        typed(ApiClientOptions::typedKey).map(ApiClientOptions::checkedKey),
        typed(level -> level.ca).map(path -> path.toAbsolutePath().toString()),
        Optional.empty(),
        Optional.empty());
  }

  private <T> Optional<T> typed(Function<ApiClientOptions, T> option) {
    return typed(ApiClientOptions.class, option);
  }

  /**
   * Returns the value of an option. The option may follow the name of a command or that of its
   * parents; the nearest one wins.
   */
  final <O, T> Optional<T> typed(Class<O> mixin, Function<O, T> option) {
    return Stream.iterate(command, Objects::nonNull, CommandSpec::parent)
        .flatMap(level -> level.mixins().values().stream())
        .map(CommandSpec::userObject)
        .filter(mixin::isInstance)
        .map(mixin::cast)
        .map(option)
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** A variable of the environment; empty if it is not set, or to nothing. */
  public static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(text -> !text.isEmpty());
  }

  private URI base() {
    return address(
        typed(level -> level.url)
            .or(() -> setting(Server::url, () -> variable("CARILLON_URL")))
            .orElse("http://127.0.0.1:8080"));
  }

  private static URI address(String address) {
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

  /** An option wins over the environment. */
  private Optional<String> key() {
    Optional<String> found =
        typed(ApiClientOptions::typedKey)
            .or(() -> setting(Server::key, this::keyOfEnvironment))
            .filter(text -> !text.isEmpty());
    return found.map(ApiClientOptions::checkedKey);
  }

  /**
   * Returns the API key of the environment; none if the environment names its server, and another
   * server is meant.
   */
  private Optional<String> keyOfEnvironment() {
    boolean isOfAnother =
        variable("CARILLON_URL").isPresent() && server().flatMap(Server::url).isPresent();
    if (isOfAnother) {
      return Optional.empty();
    }
    return variable("CARILLON_KEY_FILE")
        .map(file -> read(Path.of(file)))
        .or(() -> variable("CARILLON_KEY"));
  }

  private static String checkedKey(String text) {
    if (!KEY.matcher(text).matches()) {
      throw CommandException.usage("the API key must be one word of printable ASCII characters");
    }
    return text;
  }

  private String typedKey() {
    if (key != null || keyFile == null) {
      return key;
    }
    return read(keyFile);
  }

  private static String read(Path file) {
    if (file.toString().equals(InputFile.STANDARD)) {
      return new String(new InputFile(InputFile.STANDARD).read(), StandardCharsets.UTF_8).strip();
    }
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw CommandException.usage("--key-file " + file + " cannot be read: " + IoErrorText.of(e));
    }
  }

  /** TLS trust store of the certificates in the file of {@code --ca}. */
  private static final class CaFile {
    private CaFile() {}

    /** Trusts the certificates in a PEM file, and no others. */
    static SSLContext in(Path file) {
      try (InputStream pem = new InputFile(file.toString()).open()) {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
          store.setCertificateEntry("ca-" + number++, each);
        }
        if (number == 0) {
          throw CommandException.usage("--ca " + file + " holds no certificate");
        }
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
      } catch (GeneralSecurityException e) {
        throw CommandException.usage(
            "--ca " + file + " holds no PEM certificates: " + e.getMessage());
      } catch (IOException e) {
        throw CommandException.usage("--ca " + file + " cannot be read: " + IoErrorText.of(e));
      }
    }
  }
}
