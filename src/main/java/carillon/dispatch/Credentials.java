package carillon.dispatch;

import carillon.job.HttpCall;
import io.vertx.core.net.ClientSSLOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a call shows its target, in clear, for the time of one attempt.
 *
 * @param authorization value of the header
 * @param tls with the client certificate
 * @param secrets texts that no message may repeat
 * @param refused to be told when the target answers 401
 */
record Credentials(
    Optional<String> authorization,
    Optional<ClientSSLOptions> tls,
    List<String> secrets,
    Runnable refused) {
  static final Credentials NONE =
      new Credentials(Optional.empty(), Optional.empty(), List.of(), () -> {});

  private static final String HIDDEN = "***";

  /**
   * Shorter texts are found everywhere: hiding them would spoil the message and protect nothing.
   */
  private static final int SHORTEST = 4;

  private static final List<String> TELLING =
      List.of("authorization", "cookie", "key", "token", "secret", "password", "credential");

  static Credentials header(String authorization, List<String> secrets, Runnable refused) {
    return new Credentials(Optional.of(authorization), Optional.empty(), secrets, refused);
  }

  static Credentials certificate(ClientSSLOptions tls) {
    return new Credentials(Optional.empty(), Optional.of(tls), List.of(), () -> {});
  }

  /**
   * The text without the secrets of the call: targets repeat what they are sent, and the history is
   * read by others. Headers that a client gave itself count where their name tells.
   */
  String hidden(String text, HttpCall call) {
    String safe = text;
    for (String secret : secrets) {
      safe = hidden(safe, secret);
    }
    for (Map.Entry<String, String> header : call.headers().entrySet()) {
      if (isTelling(header.getKey())) {
        safe = hidden(safe, header.getValue());
        safe = hidden(safe, header.getValue().substring(header.getValue().lastIndexOf(' ') + 1));
      }
    }
    return safe;
  }

  private static String hidden(String text, String secret) {
    return secret.length() < SHORTEST ? text : text.replace(secret, HIDDEN);
  }

  /** Whether the values of headers with this name are secrets. */
  static boolean isTelling(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return TELLING.stream().anyMatch(name::contains);
  }

  /** Tells nothing. */
  @Override
  public String toString() {
    return "Credentials";
  }
}
