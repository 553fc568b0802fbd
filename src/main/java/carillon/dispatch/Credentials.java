package carillon.dispatch;

import carillon.job.HttpCall;
import carillon.job.QuerySecrets;
import carillon.job.Secret;
import carillon.job.SensitiveNames;
import io.vertx.core.net.ClientSSLOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a call shows its target, in clear, for the time of one attempt.
 *
 * @param header name and value of one more header
 * @param query one more parameter of the query, encoded
 * @param tls with the client certificate
 * @param secrets texts that no message may repeat
 * @param refused to be told when the target answers 401
 */
record Credentials(
    Optional<Map.Entry<String, String>> header,
    Optional<String> query,
    Optional<ClientSSLOptions> tls,
    List<String> secrets,
    Runnable refused) {
  static final Credentials NONE =
      new Credentials(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), () -> {});

  /**
   * Shorter texts are found everywhere: hiding them would spoil the message and protect nothing.
   */
  private static final int SHORTEST = 4;

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
   * The text without the secrets of the call: targets repeat what they are sent, and the history is
   * read by others. Headers and query parameters count where their names tell.
   */
  String hidden(String text, HttpCall call) {
    String safe = text;
    for (String secret : secrets) {
      safe = hidden(safe, secret);
    }
    for (Map.Entry<String, String> header : call.headers().entrySet()) {
      if (SensitiveNames.isHeader(header.getKey())) {
        safe = hidden(safe, header.getValue());
        safe = hidden(safe, header.getValue().substring(header.getValue().lastIndexOf(' ') + 1));
      }
    }
    for (String secret : QuerySecrets.of(call.uri()).values()) {
      safe = hidden(hidden(safe, secret), decoded(secret));
    }
    return safe;
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static String hidden(String text, String secret) {
    return secret.length() < SHORTEST ? text : text.replace(secret, Secret.MASK);
  }

  /** Tells nothing. */
  @Override
  public String toString() {
    return "Credentials";
  }
}
