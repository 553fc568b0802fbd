package carillon.codec;

import carillon.job.HttpCall;
import carillon.job.HttpTarget;
import carillon.job.JobException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the request of an HTTP or HTTPS action. */
final class CallReader {
  private static final Set<String> KNOWN =
      Set.of("uri", "method", "headers", "body", "authentication");
  private static final Words<String> METHODS =
      Words.of(
          Stream.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"), method -> method);

  private final Dialect dialect;
  private final Limits limits;
  private final HeaderRules headerRules;

  CallReader(Dialect dialect, Limits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.headerRules = new HeaderRules(limits);
  }

  HttpCall read(Fields fields, boolean secureType) {
    fields.allowOnly(KNOWN, dialect);
    fields.refuseUnavailable("authentication");
    String uri = fields.requiredText("uri");
    String method = fields.requiredText("method");
    Map<String, String> headers = fields.object("headers").map(Fields::texts).orElse(Map.of());
    Optional<String> body = fields.text("body");
    if (dialect != Dialect.STORED) {
      fields.requiredWord("method", METHODS);
      checkUri(fields, uri);
      headerRules.check(fields.place("headers"), headers);
      checkLength(fields, "body", body.orElse(""), limits.body());
    }
    return new HttpCall(secureType, uri, method, headers, body);
  }

  private void checkUri(Fields fields, String uri) {
    checkLength(fields, "uri", uri, limits.uri());
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(uri)) {
      throw fields.refusal("uri", "must be ASCII; percent-encode other characters");
    }
    try {
      HttpTarget.parse(uri);
    } catch (IllegalArgumentException e) {
      throw fields.refusal("uri", e.getMessage());
    }
  }

  /** Refuses a text that is longer than the deployment allows. */
  static void checkLength(Fields fields, String name, String text, int most) {
    if (text.length() > most) {
      throw JobException.invalid(
          fields.place(name)
              + ": "
              + text.length()
              + " characters are more than the "
              + most
              + " allowed");
    }
  }
}
