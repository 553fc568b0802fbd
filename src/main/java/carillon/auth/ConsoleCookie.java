package carillon.auth;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Cookie of the console, and the rule for which requests it counts: a browser sends it with the
 * requests of every page. Scripts cannot read it, and pages of other sites do not send it. In case
 * a browser does not support this, the cookie counts only for requests of the console's own page.
 *
 * @param name without TLS
 * @param httpsHost under which browsers reach this server over TLS alone; empty if none is known
 */
record ConsoleCookie(String name, String httpsHost) {
  /** Prefix of the name over TLS: browsers accept it from this host alone, and only over TLS. */
  private static final String HOST_PREFIX = "__Host-"; // RFC 6265bis

  /** Header that no form can send, and no page of another origin may. */
  private static final String MARK = "carillon-console";

  /** Returns the value in a request of the console; empty if it has several. */
  Optional<String> read(HttpServerRequest request) {
    if (!request.headers().contains(HttpHeaders.COOKIE) || !isOurs(request)) {
      return Optional.empty();
    }
    // Not by Netty, which skips commas before a name: browsers check the prefix of the whole name.
    String start = name(request) + "=";
    List<String> values =
        request.headers().getAll(HttpHeaders.COOKIE).stream()
            .flatMap(header -> Stream.of(header.split(";", -1)))
            .map(ConsoleCookie::unpadded)
            .filter(pair -> pair.startsWith(start))
            .map(pair -> pair.substring(start.length()))
            .toList();
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }

  /** Removes the white space before a pair; no other white space counts (RFC 6265bis). */
  private static String unpadded(String pair) {
    int start = 0;
    while (start < pair.length() && (pair.charAt(start) == ' ' || pair.charAt(start) == '\t')) {
      start++;
    }
    return pair.substring(start);
  }

  /** Whether no page but our own can have made this request. */
  static boolean isOurs(HttpServerRequest request) {
    boolean isRead = request.method().equals(HttpMethod.GET);
    return isFromHere(request, isRead) && (isRead || request.headers().contains(MARK));
  }

  /**
   * Whether a request is from a page of this server, by Sec-Fetch-Site. For older browsers and
   * without TLS, Origin is used.
   */
  private static boolean isFromHere(HttpServerRequest request, boolean isRead) {
    String site = request.getHeader("sec-fetch-site");
    if (site != null) {
      return site.equals("same-origin") || (isRead && site.equals("none"));
    }
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin == null ? isRead : isHere(origin, request.getHeader(HttpHeaders.HOST));
  }

  private static boolean isHere(String origin, String host) {
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns a cookie that keeps a value for this time. Without a value it deletes the cookie. */
  Cookie of(HttpServerRequest request, Optional<String> value, Duration kept) {
    return Cookie.cookie(name(request), value.orElse(""))
        .setPath("/")
        .setHttpOnly(true)
        .setSameSite(CookieSameSite.STRICT)
        .setSecure(isSecure(request))
        .setMaxAge(value.isEmpty() ? 0 : kept.toSeconds());
  }

  private String name(HttpServerRequest request) {
    return isSecure(request) ? HOST_PREFIX + name : name;
  }

  /** Trusts the client, whose claim affects only its own cookie. */
  private boolean isSecure(HttpServerRequest request) {
    return request.isSSL()
        || "https".equalsIgnoreCase(request.getHeader("x-forwarded-proto"))
        || (!httpsHost.isEmpty()
            && httpsHost.equalsIgnoreCase(request.getHeader(HttpHeaders.HOST)));
  }
}
