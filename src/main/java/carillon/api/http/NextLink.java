package carillon.api.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where a list goes on. */
public final class NextLink {
  private static final Pattern SCHEME = Pattern.compile("https?");
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:\\d{1,5})?");

  private NextLink() {}

  /** The absolute address of the same list, as a proxy in front is addressed. */
  public static String of(HttpServerRequest http, QueryParameters query, String token) {
    return forwarded(http, "X-Forwarded-Proto", SCHEME).orElse(http.scheme())
        + "://"
        + forwarded(http, "X-Forwarded-Host", AUTHORITY)
            .orElseGet(() -> http.authority().toString())
        + http.path()
        + query.continuedAt(token);
  }

  /** What the first of the proxies says, if it makes sense. It only comes back to who said it. */
  private static Optional<String> forwarded(HttpServerRequest http, String header, Pattern valid) {
    return Optional.ofNullable(http.getHeader(header))
        .map(value -> value.split(",", 2)[0].trim())
        .filter(value -> valid.matcher(value).matches());
  }
}
