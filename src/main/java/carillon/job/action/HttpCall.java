package carillon.job.action;

import carillon.job.action.TextMapping.TextForm;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * An HTTP or HTTPS request, kept to the letter as the client gave it.
 *
 * @param secureType whether the client called the action type {@code https}; only echoed, the URI's
 *     scheme decides
 * @param uri absolute http or https URI; {@link HttpTarget#parse} accepts it
 * @param method in the client's case; sent in upper case
 * @param headers in the client's order and case
 * @param body the text to send, if any
 * @param authentication by which the target identifies the caller, if any
 */
public record HttpCall(
    boolean secureType,
    String uri,
    String method,
    Map<String, String> headers,
    Optional<String> body,
    Optional<Authentication> authentication)
    implements ActionCall {
  /** Fields of secrets, as {@link Secret.Mapping} names them: the name follows in lower case. */
  private static final String HEADER = "request.headers.";

  private static final String QUERY = "request.uri.";

  public HttpCall {
    headers =
        headers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A call without authentication. */
  public HttpCall(
      boolean secureType,
      String uri,
      String method,
      Map<String, String> headers,
      Optional<String> body) {
    this(secureType, uri, method, headers, body, Optional.empty());
  }

  @Override
  public Kind kind() {
    return Kind.HTTP;
  }

  @Override
  public HttpCall mapSecrets(Secret.Mapping mapping) {
    HttpCall mapped = mapVisible(mapping);
    return authentication.isEmpty()
        ? mapped
        : mapped.with(authentication.get().mapSecrets(mapping));
  }

  /** Returns this call with the secrets in its headers and its query replaced. */
  private HttpCall mapVisible(Secret.Mapping mapping) {
    String otherUri =
        QuerySecrets.map(
            uri, (name, value) -> mapping.apply(QUERY + name, new Secret(value)).text());
    Map<String, String> others =
        hasSecretHeader()
            ? mapHeaders((name, value) -> mapping.apply(HEADER + name, new Secret(value)).text())
            : headers;
    return otherUri.equals(uri) && others.equals(headers)
        ? this
        : new HttpCall(secureType, otherUri, method, others, body, authentication);
  }

  private boolean hasSecretHeader() {
    if (headers.isEmpty()) {
      return false;
    }
    for (String name : headers.keySet()) {
      if (SensitiveNames.isHeader(name)) {
        return true;
      }
    }
    return false;
  }

  private Map<String, String> mapHeaders(BinaryOperator<String> mapping) {
    Map<String, String> mapped = new LinkedHashMap<>(headers);
    mapped.replaceAll(
        (name, value) ->
            value.isEmpty() || !SensitiveNames.isHeader(name)
                ? value
                : mapping.apply(name.toLowerCase(Locale.ROOT), value));
    return mapped;
  }

  /** Returns this call for display: secrets in headers and query are masked. */
  public HttpCall masked() {
    return mapVisible((field, secret) -> new Secret(Secret.MASK));
  }

  /**
   * Returns this call with {@link Secret#KEPT} in place of each mask, so that the stored secret
   * stays.
   */
  public HttpCall unmasked() {
    return mapVisible((field, secret) -> secret.text().equals(Secret.MASK) ? Secret.KEPT : secret);
  }

  /**
   * Whether a field is a header or query parameter, whose name alone makes it a secret. Answers
   * show a mask for it.
   */
  public static boolean isVisible(String field) {
    return field.contains(HEADER) || field.contains(QUERY);
  }

  /**
   * Scheme, host and port: a stored secret is kept only for this server. The owner of an
   * authentication is checked where its secrets are kept.
   */
  @Override
  public String secretOwner() {
    return target().origin();
  }

  @Override
  public ActionCall keeping(ActionCall stored) {
    HttpCall old = (HttpCall) stored;
    Map<String, Secret> secrets = new HashMap<>();
    old.mapVisible(
        (field, secret) -> {
          secrets.put(field, secret);
          return secret;
        });
    HttpCall mapped =
        mapVisible(
            (field, secret) -> secret.isKept() ? secrets.getOrDefault(field, secret) : secret);
    return old.authentication
        .filter(
            other -> authentication.filter(mine -> mine.owner().equals(other.owner())).isPresent())
        .map(other -> mapped.with(authentication.orElseThrow().keeping(other)))
        .orElse(mapped);
  }

  /** The form of the body follows from its {@code Content-Type}. */
  @Override
  public HttpCall mapTexts(TextMapping mapping) {
    Map<String, String> others = new LinkedHashMap<>(headers);
    others.replaceAll((name, value) -> mapping.apply("headers." + name, value, TextForm.PLAIN));
    Optional<String> otherBody = body.map(text -> mapping.apply("body", text, bodyForm()));
    return new HttpCall(
        secureType,
        mapping.apply("uri", uri, TextForm.URI),
        method,
        others,
        otherBody,
        authentication);
  }

  private TextForm bodyForm() {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase("Content-Type"))
        .findFirst()
        .map(header -> TextForm.ofMediaType(header.getValue()))
        .orElse(TextForm.PLAIN);
  }

  /** The target, whose path and query may hold placeholders. */
  public HttpTarget target() {
    return HttpTarget.parseTemplate(uri);
  }

  /** Returns this call with another authentication. */
  public HttpCall with(Authentication other) {
    return new HttpCall(secureType, uri, method, headers, body, Optional.of(other));
  }

  /** Keeps a trace that the client set itself. */
  @Override
  public HttpCall traced(TraceContext span) {
    if (headers.keySet().stream().anyMatch(TraceContext.PARENT::equalsIgnoreCase)) {
      return this;
    }
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(TraceContext.PARENT, span.parent());
    if (!span.state().isEmpty()) {
      more.put(TraceContext.STATE, span.state());
    }
    return new HttpCall(secureType, uri, method, more, body, authentication);
  }

  @Override
  public Destination destination() {
    HttpTarget target = target();
    return new Destination(target.host(), target.port());
  }

  /** Names the destination only: headers, query and body may hold secrets. */
  @Override
  public String toString() {
    return "HttpCall[" + method + " " + target().authority() + "]";
  }
}
