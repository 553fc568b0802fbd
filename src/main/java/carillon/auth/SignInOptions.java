package carillon.auth;

import carillon.config.ConsoleSettings.SignInSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Options of the sign-in at the issuer.
 *
 * @param secret that the issuer and this server share; empty for a public client
 */
public record SignInOptions(SignInSettings settings, String secret) {

  /**
   * Reads the file of the secret, if there is one: blocks.
   *
   * @throws IllegalStateException when it is empty
   */
  static SignInOptions of(SignInSettings settings) {
    if (settings.clientSecretFile().isEmpty()) {
      return new SignInOptions(settings, settings.clientSecret());
    }
    try {
      String secret = Files.readString(Path.of(settings.clientSecretFile())).strip();
      if (secret.isEmpty()) {
        throw new IllegalStateException("console.signIn.clientSecretFile is empty");
      }
      return new SignInOptions(settings, secret);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "console.signIn.clientSecretFile cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the address to which the issuer sends the browser back: the page of the console. */
  String redirectUri() {
    return settings.origin() + "/";
  }

  /** The host under which browsers reach this server over TLS alone; empty without TLS. */
  String httpsHost() {
    return "https".equals(settings.origin().getScheme()) ? settings.origin().getRawAuthority() : "";
  }

  /** Shows all but the secret. */
  @Override
  public String toString() {
    return "SignInOptions[" + settings + "]";
  }
}
