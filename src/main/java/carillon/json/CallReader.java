package carillon.json;

import carillon.job.Authentication;
import carillon.job.Authentication.ApiKey;
import carillon.job.Authentication.ApiKey.In;
import carillon.job.HttpCall;
import carillon.job.HttpTarget;
import carillon.job.JobException;
import carillon.job.QuerySecrets;
import carillon.job.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the request of an HTTP or HTTPS action. */
final class CallReader {
  private static final String AUTHENTICATION = "authentication";
  private static final String SET_BY_AUTHENTICATION = "is set by authentication; give only one";
  private static final Set<String> KNOWN =
      Set.of("uri", "method", "headers", "body", AUTHENTICATION);
  private static final EnumNames<String> METHODS =
      EnumNames.of(
          Stream.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"), method -> method);

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final HeaderRules headerRules;
  private final AuthenticationReader authentications;

  CallReader(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.headerRules = new HeaderRules(limits);
    this.authentications = new AuthenticationReader(dialect);
  }

  HttpCall read(JsonFields fields, boolean secureType) {
    fields.allowOnly(KNOWN, dialect);
    String uri = fields.requiredText("uri");
    String method = fields.requiredText("method");
    Map<String, String> headers = fields.object("headers").map(JsonFields::texts).orElse(Map.of());
    Optional<String> body = fields.text("body");
    Optional<Authentication> authentication =
        fields.object(AUTHENTICATION).map(authentications::read);
    if (dialect != Dialect.STORED) {
      fields.requiredWord("method", METHODS);
      checkUri(fields, uri);
      headerRules.check(fields.place("headers"), headers);
      checkBytes(fields, "body", body.orElse(""), limits.body());
      authentication.ifPresent(given -> checkAuthentication(fields, given, uri, headers));
    }
    HttpCall call = new HttpCall(secureType, uri, method, headers, body, authentication);
    return dialect == Dialect.STORED ? call : call.unmasked();
  }

  private static void checkAuthentication(
      JsonFields fields, Authentication given, String uri, Map<String, String> headers) {
    if (!HttpTarget.parse(uri).secure()) {
      throw JobException.invalid(
          fields.place(AUTHENTICATION) + ": is allowed with https only, and uri is not https");
    }
    given
        .header()
        .filter(name -> headers.keySet().stream().anyMatch(name::equalsIgnoreCase))
        .ifPresent(
            name -> {
              throw JobException.invalid(
                  fields.place("headers") + "." + name + ": " + SET_BY_AUTHENTICATION);
            });
    if (given instanceof ApiKey key && key.in() == In.QUERY && hasParameter(uri, key.name())) {
      throw JobException.invalid(
          fields.place("uri")
              + ": parameter '"
              + Quoted.of(key.name())
              + "' "
              + SET_BY_AUTHENTICATION);
    }
  }

  private static boolean hasParameter(String uri, String name) {
    String path = HttpTarget.parse(uri).path();
    return Stream.of(path.substring(path.indexOf('?') + 1).split("&", -1))
        .anyMatch(parameter -> parameter.equals(name) || parameter.startsWith(name + "="));
  }

  private void checkUri(JsonFields fields, String uri) {
    checkLength(fields, "uri", uri, limits.uri());
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(uri)) {
      throw refused(fields, uri, "must be ASCII; percent-encode other characters");
    }
    try {
      HttpTarget.parse(uri);
    } catch (IllegalArgumentException e) {
      throw refused(fields, uri, e.getMessage());
    }
  }

  private static JobException refused(JsonFields fields, String uri, String rule) {
    return JsonFields.refuse(fields.place("uri"), QuerySecrets.quotable(uri), rule);
  }

  /** Refuses a text that is longer than the deployment allows. */
  static void checkLength(JsonFields fields, String name, String text, int most) {
    check(fields, name, text.length(), "characters", most);
  }

  /** Refuses a text that is longer as UTF-8, as it is sent, than the deployment allows. */
  static void checkBytes(JsonFields fields, String name, String text, int most) {
    check(fields, name, text.getBytes(StandardCharsets.UTF_8).length, "bytes", most);
  }

  private static void check(JsonFields fields, String name, int length, String unit, int most) {
    if (length > most) {
      throw JobException.invalid(
          fields.place(name)
              + ": "
              + length
              + " "
              + unit
              + " are more than the "
              + most
              + " allowed");
    }
  }
}
