package carillon.job;

import java.util.Collections;
import java.util.LinkedHashMap;
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
 */
public record HttpCall(
    boolean secureType,
    String uri,
    String method,
    Map<String, String> headers,
    Optional<String> body)
    implements Call {
  public HttpCall {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  @Override
  public HttpCall mapSecrets(Secret.Mapping mapping) {
    return this;
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
