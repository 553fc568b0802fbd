package carillon.config;

import static carillon.config.SettingRules.KB;
import static carillon.config.SettingRules.MB;
import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Section {@code http}: the HTTP server of API and console. */
public record HttpSettings(
    String host,
    int port,
    List<String> names,
    List<String> corsOrigins,
    int maxBody,
    int maxCalendar,
    Duration idleTimeout,
    int maxConnections,
    int maxConnectionsPerAddress,
    int maxNewConnectionsPerAddress,
    Duration maxLag,
    boolean jobsMayWrite,
    HttpTlsSettings tls) {
  private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");

  /** An origin as a browser sends it: in lower case, without a path or a slash at its end. */
  private static final Pattern ORIGIN =
      Pattern.compile("https?://([a-z0-9._-]{1,253}|\\[[0-9a-f:.]+])(:\\d{1,5})?");

  public HttpSettings {
    names = List.copyOf(names);
    corsOrigins = List.copyOf(corsOrigins);
    new SettingRules("http")
        .require(!host.isBlank(), "host", host, "must be a host name or address")
        .between("port", port, 0, 65535)
        .require(
            names.stream().allMatch(name -> HOST_NAME.matcher(name).matches()),
            "names",
            names,
            "must be host names without a port")
        .require(
            corsOrigins.stream().allMatch(origin -> origin.equals("*") || isOrigin(origin)),
            "corsOrigins",
            corsOrigins,
            "must be origins as browsers send them, in lower case and without a path, such as"
                + " https://app.example.org, or *")
        .between("maxBody", maxBody, KB, 64 * MB)
        .between("maxCalendar", maxCalendar, KB, 64 * MB)
        .between("idleTimeout", idleTimeout, ofSeconds(1), ofHours(1))
        .between("maxConnections", maxConnections, 1, 1_000_000)
        .between("maxConnectionsPerAddress", maxConnectionsPerAddress, 0, 1_000_000)
        .between("maxNewConnectionsPerAddress", maxNewConnectionsPerAddress, 0, 1_000_000)
        .between("maxLag", maxLag, ofMillis(100), ofMinutes(1))
        .check();
  }

  /** Whether it is an origin as a browser sends it. */
  static boolean isOrigin(String origin) {
    return ORIGIN.matcher(origin).matches()
        && !(origin.startsWith("https:") ? origin.endsWith(":443") : origin.endsWith(":80"));
  }

  /** Returns the default settings. */
  static HttpSettings defaults() {
    return new HttpSettings(
        "127.0.0.1",
        8080,
        List.of(),
        List.of(),
        256 * KB,
        MB,
        ofSeconds(60),
        10_000,
        1000,
        1000,
        ofSeconds(1),
        false,
        new HttpTlsSettings("", "", "", Duration.ZERO));
  }

  /** Section {@code http.tls}: the certificate of the server, and who may vouch for clients. */
  public record HttpTlsSettings(String certificate, String key, String clientCa, Duration hsts) {
    public HttpTlsSettings {
      new SettingRules("http.tls")
          .keyPair(certificate, key)
          .readable("clientCa", clientCa)
          .require(
              clientCa.isEmpty() || !certificate.isEmpty(),
              "clientCa",
              clientCa,
              "must be empty unless http.tls.certificate is set",
              "http.tls.certificate")
          .between("hsts", hsts, Duration.ZERO, TEN_YEARS)
          .require(
              hsts.isZero() || !certificate.isEmpty(),
              "hsts",
              hsts,
              "must be 0s unless http.tls.certificate is set",
              "http.tls.certificate")
          .check();
    }

    /** Whether the API is served over TLS. */
    public boolean isEnabled() {
      return !certificate.isEmpty();
    }
  }
}
