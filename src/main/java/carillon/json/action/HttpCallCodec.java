package carillon.json.action;

import static carillon.json.text.Dialect.Switch.CAMEL_HEADERS;

import carillon.job.action.Authentication;
import carillon.job.action.Authentication.ApiKeyCredential;
import carillon.job.action.Authentication.ApiKeyCredential.In;
import carillon.job.action.HttpCall;
import carillon.job.action.HttpTarget;
import carillon.job.action.QuerySecrets;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.job.template.Template;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Codec of the request of an HTTP or HTTPS action. */
final class HttpCallCodec {
  private static final String METHOD = "method";
  private static final String AUTHENTICATION = "authentication";

  /** Method that the stored form omits. */
  private static final String DEFAULT_METHOD = "GET";

  private static final String SWITCHED_OFF =
      "holds {{: set placeholders to true beside it, or percent-encode the braces";
  private static final String SET_BY_AUTHENTICATION = "is set by authentication; give only one";
  private static final Set<String> KNOWN =
      Set.of("uri", METHOD, "headers", "body", AUTHENTICATION, PlaceholderRules.PLACEHOLDERS);
  private static final EnumNames<String> METHODS =
      EnumNames.of(
          Stream.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"), method -> method);

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final HeaderRules headerRules;
  private final AuthenticationCodec authentications;

  HttpCallCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.headerRules = new HeaderRules(limits);
    this.authentications = new AuthenticationCodec(dialect);
  }

  HttpCall read(JsonFields fields, boolean secureType) {
    fields.allowOnly(KNOWN, dialect);
    String uri = fields.requiredText("uri");
    String method = method(fields);
    Map<String, String> headers = fields.object("headers", JsonFields::texts).orElse(Map.of());
    Optional<String> body = fields.text("body");
    Optional<Authentication> authentication = fields.object(AUTHENTICATION, authentications::read);
    HttpCall call = new HttpCall(secureType, uri, method, headers, body, authentication);
    if (dialect.isChecked()) {
      fields.requiredWord(METHOD, METHODS, method);
      check(fields, (HttpCall) PlaceholderRules.sample(fields, call));
    }
    return dialect.isChecked() ? call.unmasked() : call;
  }

  private void check(JsonFields fields, HttpCall call) {
    if (!fields.isRefused("uri")) {
      checkUri(fields, call.uri());
    }
    headerRules.check(fields, "headers", call.headers());
    fields.checkBytes("body", call.body().orElse(""), limits.body());
    if (!fields.isRefused("uri")) {
      call.authentication()
          .ifPresent(given -> checkAuthentication(fields, given, call.uri(), call.headers()));
    }
  }

  private String method(JsonFields fields) {
    return dialect.isChecked()
        ? fields.requiredText(METHOD)
        : fields.text(METHOD).orElse(DEFAULT_METHOD);
  }

  private static void checkAuthentication(
      JsonFields fields, Authentication given, String uri, Map<String, String> headers) {
    if (!HttpTarget.parse(uri).secure()) {
      fields.report(
          JobException.invalid(
              fields.place(AUTHENTICATION) + ": is allowed with https only, and uri is not https"));
    }
    given
        .header()
        .filter(name -> headers.keySet().stream().anyMatch(name::equalsIgnoreCase))
        .ifPresent(
            name ->
                fields.report(
                    JobException.invalid(
                        fields.place("headers") + "." + name + ": " + SET_BY_AUTHENTICATION)));
    if (given instanceof ApiKeyCredential key
        && key.in() == In.QUERY
        && hasParameter(uri, key.name())) {
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
    fields.checkLength("uri", uri, limits.uri());
    try {
      HttpTarget target = HttpTarget.parse(uri);
      if (!target.isAscii()) {
        fields.report(refused(fields, uri, HttpTarget.ASCII_RULE));
      }
    } catch (IllegalArgumentException e) {
      boolean hasPlaceholders = Template.isIn(uri);
      fields.report(refused(fields, uri, hasPlaceholders ? SWITCHED_OFF : e.getMessage()));
    }
  }

  private static JobException refused(JsonFields fields, String uri, String rule) {
    return JsonFields.refuse(fields.place("uri"), QuerySecrets.quotable(uri), rule);
  }

  /** Writes the properties of the request. Answers show no secret. */
  static void write(JsonGenerator json, HttpCall given, Dialect dialect) throws IOException {
    HttpCall call = dialect.isStored() ? given : given.masked();
    json.writeStringField("uri", call.uri());
    if (!dialect.isStored() || !call.method().equals(DEFAULT_METHOD)) {
      json.writeStringField(METHOD, call.method());
    }
    if (!call.headers().isEmpty()) {
      boolean camel = dialect.has(CAMEL_HEADERS);
      JsonOut.writeTexts(json, "headers", camel ? camelCased(call.headers()) : call.headers());
    }
    if (call.body().isPresent()) {
      json.writeStringField("body", call.body().get());
    }
    if (call.authentication().isPresent()) {
      json.writeFieldName(AUTHENTICATION);
      AuthenticationCodec.write(json, call.authentication().get(), dialect);
    }
  }

  /** Adds the defaults that the stored form of a request omits. */
  static void addDefaults(Map<String, Object> request) {
    request.putIfAbsent(METHOD, DEFAULT_METHOD);
  }

  private static Map<String, String> camelCased(Map<String, String> texts) {
    Map<String, String> cased = new LinkedHashMap<>();
    texts.forEach((name, text) -> cased.put(camelCase(name), text));
    return cased;
  }

  /**
   * Converts a header name to the camel case of .NET's Json.NET, as the retired service did. It
   * answered {@code Content-Type} as {@code content-Type}, and {@code URL} as {@code url}. Capitals
   * at the start of the text become lower case, except a capital that begins a later word.
   */
  static String camelCase(String text) {
    int capitals = 0;
    while (capitals < text.length() && Character.isUpperCase(text.charAt(capitals))) {
      capitals++;
    }
    boolean endsInWord = capitals > 1 && capitals < text.length();
    int lowered = endsInWord ? capitals - 1 : capitals;
    StringBuilder camel = new StringBuilder(text);
    for (int i = 0; i < lowered; i++) {
      camel.setCharAt(i, Character.toLowerCase(camel.charAt(i)));
    }
    return camel.toString();
  }
}
