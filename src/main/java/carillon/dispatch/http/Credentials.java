package carillon.dispatch.http;

import carillon.job.action.HttpCall;
import carillon.job.action.QuerySecrets;
import carillon.job.action.SensitiveNames;
import io.vertx.core.net.ClientSSLOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Credentials that a call shows its target, in clear, for the time of one attempt.
 *
 * @param header name and value of an additional header
 * @param query an additional parameter of the query, encoded
 * @param tls options with the client certificate
 * @param secrets texts that no message may repeat
 * @param refused notified when the target answers 401
 */
record Credentials(
    Optional<Map.Entry<String, String>> header,
    Optional<String> query,
    Optional<ClientSSLOptions> tls,
    List<String> secrets,
    Runnable refused) {
  static final Credentials NONE =
      new Credentials(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), () -> {});

  private static final String BASIC = "Basic ";

  static Credentials authorization(String value, List<String> secrets, Runnable refused) {
    return header("Authorization", value, secrets, refused);
  }

  static Credentials header(String name, String value, List<String> secrets, Runnable refused) {
    return new Credentials(
        Optional.of(Map.entry(name, value)), Optional.empty(), Optional.empty(), secrets, refused);
  }

  static Credentials parameter(String query, List<String> secrets) {
    return new Credentials(
        Optional.empty(), Optional.of(query), Optional.empty(), secrets, () -> {});
  }

  static Credentials certificate(ClientSSLOptions tls) {
    return new Credentials(
        Optional.empty(), Optional.empty(), Optional.of(tls), List.of(), () -> {});
  }

  /** A path and its query, with the parameter. */
  String addedTo(String path) {
    return query.map(more -> path + (path.indexOf('?') < 0 ? '?' : '&') + more).orElse(path);
  }

  /**
   * Returns a redactor of the secrets of the call. Targets repeat what they receive, and other
   * people read the history. Headers and query parameters count as secret by their names.
   */
  Redactor redactor(HttpCall call) {
    List<String> all = new ArrayList<>(secrets);
    call.headers()
        .forEach(
            (name, value) -> {
              if (SensitiveNames.isHeader(name)) {
                addHeader(all, name, value);
              }
            });
    for (String secret : QuerySecrets.of(call.uri()).values()) {
      all.add(secret);
      all.add(decoded(secret));
    }
    return Redactor.of(all);
  }

  /** Adds the value, and each part of it that targets repeat alone. */
  private static void addHeader(List<String> all, String name, String value) {
    all.add(value);
    all.add(value.substring(value.lastIndexOf(' ') + 1));
    if (name.equalsIgnoreCase("Cookie")) {
      for (String cookie : value.split(";", -1)) {
        all.add(cookie.substring(cookie.indexOf('=') + 1).strip());
      }
    }
    if (value.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      String pair = base64Decoded(value.substring(BASIC.length()).strip());
      all.add(pair);
      all.add(pair.substring(pair.indexOf(':') + 1));
    }
  }

  /** Returns the decoded text; empty if it is no base64. */
  private static String base64Decoded(String value) {
    try {
      return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  /** Shows no secret. */
  @Override
  public String toString() {
    return "Credentials";
  }
}
