package carillon.config;

import java.net.URI;

/** Who gives tokens for calls with authentication of type ActiveDirectoryOAuth. */
public record OAuthSettings(URI authority) {
  public OAuthSettings {
    new SettingRules("oauth")
        .require(
            isAuthority(authority),
            "authority",
            authority,
            "must be https://host[:port][/path], or http on this machine alone (localhost,"
                + " 127.0.0.1, [::1])")
        .check();
  }

  /** What holds where nothing is set. */
  static OAuthSettings defaults() {
    return new OAuthSettings(URI.create("https://login.microsoftonline.com"));
  }

  private static boolean isAuthority(URI uri) {
    boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null;
    return bare && HttpsOrLoopback.holds(uri);
  }
}
