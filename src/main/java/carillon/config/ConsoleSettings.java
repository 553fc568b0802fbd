package carillon.config;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/** Section {@code console}: the console. */
public record ConsoleSettings(SignInSettings signIn) {

  /**
   * Section {@code console.signIn}: sign-in to the console at the issuer of tokens (OpenID Connect,
   * authorization code flow with PKCE). May hold a secret: {@code toString} does not show it.
   */
  public record SignInSettings(
      String clientId,
      @Setting(secret = true) String clientSecret,
      String clientSecretFile,
      URI origin,
      List<String> scopes,
      String name,
      String nameClaim) {
    /** Pattern of printable ASCII (RFC 6749, appendix A). */
    private static final Pattern CLIENT_ID = Pattern.compile("[ -~]{0,256}");

    /** Pattern of a scope (RFC 6749, section 3.3). */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]{1,256}");

    private static final int MAX_NAME_LENGTH = 64;

    public SignInSettings {
      scopes = List.copyOf(scopes);
      new SettingRules("console.signIn")
          .matches("clientId", clientId, CLIENT_ID, "must be 0 to 256 printable ASCII characters")
          .require(
              !clientId.isEmpty() || (clientSecret.isEmpty() && clientSecretFile.isEmpty()),
              "clientId",
              clientId,
              "must be set where console.signIn.clientSecret or console.signIn.clientSecretFile is",
              "console.signIn.clientSecret",
              "console.signIn.clientSecretFile")
          .require(
              clientSecret.isEmpty() || clientSecretFile.isEmpty(),
              "clientSecretFile",
              clientSecretFile,
              "must be empty where console.signIn.clientSecret is set",
              "console.signIn.clientSecret")
          .readable("clientSecretFile", clientSecretFile)
          .require(
              origin.toString().isEmpty() ? clientId.isEmpty() : isOrigin(origin),
              "origin",
              origin,
              "must be https://host or https://host:port, in lower case and without a path, or"
                  + " http://... on this machine, where console.signIn.clientId is set",
              "console.signIn.clientId")
          .require(
              scopes.contains("openid")
                  && scopes.stream().allMatch(scope -> SCOPE.matcher(scope).matches()),
              "scopes",
              scopes,
              "must be scopes of OAuth, openid among them")
          .require(
              name.length() <= MAX_NAME_LENGTH,
              "name",
              name,
              "must be at most " + MAX_NAME_LENGTH + " characters")
          .check();
    }

    /** Returns the default settings. */
    static SignInSettings defaults() {
      return new SignInSettings("", "", "", URI.create(""), List.of("openid", "profile"), "", "");
    }

    /**
     * Whether the address is an origin, over HTTPS or on this machine. It must have the form that
     * browsers send, so that it can be compared.
     */
    private static boolean isOrigin(URI uri) {
      return SettingRules.isHttpsOrLoopback(uri) && HttpSettings.isOrigin(uri.toString());
    }

    /** Whether people can sign in at the issuer. */
    public boolean isEnabled() {
      return !clientId.isEmpty();
    }

    @Override
    public String toString() {
      return "SignIn[clientId=%s, origin=%s]".formatted(clientId, origin);
    }
  }
}
