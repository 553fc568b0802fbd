package carillon.api.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of a request for what Azure Resource Manager told about the provider itself. Clients ask
 * for it before they ask for resources: Terraform registers providers, PowerShell looks up regions.
 *
 * @param subscription empty for what is told without one
 */
public record ProviderPath(Kind kind, String subscription) {
  private static final Pattern OPERATIONS =
      Pattern.compile("/providers/Microsoft\\.Scheduler/operations/?", Pattern.CASE_INSENSITIVE);
  private static final Pattern PROVIDER =
      Pattern.compile(
          "/subscriptions/([^/]+)/providers(?<one>/Microsoft\\.Scheduler(?<register>/register)?)?/?",
          Pattern.CASE_INSENSITIVE);

  /** What is asked for. */
  public enum Kind {
    /** Every operation that a client may be granted. */
    OPERATIONS("GET"),
    /** All providers: there is one. */
    PROVIDERS("GET"),
    PROVIDER("GET"),
    REGISTER("POST");

    private final String method;

    Kind(String method) {
      this.method = method;
    }

    /** The only one allowed. */
    String method() {
      return method;
    }
  }

  public static Optional<ProviderPath> parse(String path) {
    if (OPERATIONS.matcher(path).matches()) {
      return Optional.of(new ProviderPath(Kind.OPERATIONS, ""));
    }
    Matcher provider = PROVIDER.matcher(path);
    return provider.matches()
        ? Optional.of(new ProviderPath(kind(provider), PercentDecoding.decode(provider.group(1))))
        : Optional.empty();
  }

  private static Kind kind(Matcher provider) {
    if (provider.group("register") != null) {
      return Kind.REGISTER;
    }
    return provider.group("one") != null ? Kind.PROVIDER : Kind.PROVIDERS;
  }
}
