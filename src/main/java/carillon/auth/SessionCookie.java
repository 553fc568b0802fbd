package carillon.auth;

import carillon.access.SessionToken;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The cookie that holds a session, and for which requests it counts: a browser sends it along with
 * whatever any page asks for. Scripts cannot read it, other sites' pages do not send it, and in
 * case a browser knows nothing of that it counts for requests of the console's own page only.
 */
final class SessionCookie {
  private static final String NAME = "carillon-session";

  /** Over TLS: a browser takes it from this host alone, and only from over TLS (RFC 6265bis). */
  private static final String SECURE_NAME = "__Host-" + NAME;

  /** No form can send it, and no page of another origin may. */
  private static final String MARK = "carillon-console";

  private SessionCookie() {}

  /** The session that a request of the console shows. */
  static Optional<SessionToken> read(HttpServerRequest request) {
    if (!request.headers().contains(HttpHeaders.COOKIE) || !isOurs(request)) {
      return Optional.empty();
    }
    return Optional.ofNullable(request.getCookie(name(request)))
        .map(Cookie::getValue)
        .flatMap(SessionToken::parse);
  }

  /** Whether no page but our own can have made this request. */
  private static boolean isOurs(HttpServerRequest request) {
    boolean isRead = request.method().equals(HttpMethod.GET);
    return isFromHere(request, isRead) && (isRead || request.headers().contains(MARK));
  }

  /** Browsers tell where a request comes from; older ones, and those without TLS, only whence. */
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

  /** What lets the browser keep a session for so long; nothing ends it there. */
  static String write(HttpServerRequest request, Optional<SessionToken> text, Duration kept) {
    return Cookie.cookie(name(request), text.map(SessionToken::reveal).orElse(""))
        .setPath("/")
        .setHttpOnly(true)
        .setSameSite(CookieSameSite.STRICT)
        .setSecure(isSecure(request))
        .setMaxAge(text.isEmpty() ? 0 : kept.toSeconds())
        .encode();
  }

  private static String name(HttpServerRequest request) {
    return isSecure(request) ? SECURE_NAME : NAME;
  }

  /** What a client pretends here binds only himself. */
  private static boolean isSecure(HttpServerRequest request) {
    return request.isSSL() || "https".equalsIgnoreCase(request.getHeader("x-forwarded-proto"));
  }
}
