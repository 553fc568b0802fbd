package carillon.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP or HTTPS request, kept to the letter as the client gave it.
 *
 * @param secureType whether the client called the action type {@code https}; only echoed, the URI's
 *     scheme decides
 * @param uri absolute http or https URI; {@link HttpTarget#parse} accepts it
 * @param method in the client's case; sent in upper case
 * @param headers in the client's order and case
 * @param body the text to send, if any
 * @param authentication how the target is told who calls, if at all
 */
public record HttpCall(
    boolean secureType,
    String uri,
    String method,
    Map<String, String> headers,
    Optional<String> body,
    Optional<Authentication> authentication)
    implements Call {
  public HttpCall {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A call without authentication. */
  public HttpCall(
      boolean secureType,
      String uri,
      String method,
      Map<String, String> headers,
      Optional<String> body) {
    this(secureType, uri, method, headers, body, Optional.empty());
  }

  @Override
  public HttpCall mapSecrets(Secret.Mapping mapping) {
    return authentication.isEmpty() ? this : with(authentication.get().mapSecrets(mapping));
  }

  @Override
  public Object secretOwner() {
    return authentication.map(Authentication::owner).orElse(List.of());
  }

  @Override
  public Call keeping(Call stored) {
    return stored instanceof HttpCall old
            && authentication.isPresent()
            && old.authentication.isPresent()
        ? with(authentication.get().keeping(old.authentication.get()))
        : this;
  }

  /** The same call under another authentication. */
  public HttpCall with(Authentication other) {
    return new HttpCall(secureType, uri, method, headers, body, Optional.of(other));
  }

  /** A trace of the client's own stays. */
  @Override
  public HttpCall traced(TraceContext span) {
    if (headers.keySet().stream().anyMatch(TraceContext.PARENT::equalsIgnoreCase)) {
      return this;
    }
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(TraceContext.PARENT, span.parent());
    if (!span.state().isEmpty()) {
      more.put(TraceContext.STATE, span.state());
    }
    return new HttpCall(secureType, uri, method, more, body, authentication);
  }

  @Override
  public Destination destination() {
    HttpTarget target = HttpTarget.parse(uri);
    return new Destination(target.host(), target.port());
  }

  /** Names the destination only: headers, query and body may hold secrets. */
  @Override
  public String toString() {
    return "HttpCall[" + method + " " + HttpTarget.parse(uri).authority() + "]";
  }
}
