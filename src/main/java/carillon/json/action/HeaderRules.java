package carillon.json.action;

import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.text.JsonFields;
import carillon.json.text.SubmissionLimits;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Rules for the headers that a client gives to a call: their number, names and values. No message
 * quotes a value, because it may be a secret.
 */
final class HeaderRules {
  /** Headers that only the sender sets: framing, connection, and identification of the caller. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "host",
          "content-length",
          "expect",
          "idempotency-key",
          "x-execution-id",
          "x-ms-execution-tag",
          "x-ms-client-request-id");

  private static final Set<String> RESERVED_PREFIXES =
      Set.of("proxy-", "webhook-", "carillon-", "x-ms-scheduler-");

  /** RFC 9110, section 5.6.2. */
  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

  private final SubmissionLimits limits;

  HeaderRules(SubmissionLimits limits) {
    this.limits = limits;
  }

  void check(JsonFields fields, String property, Map<String, String> headers) {
    String place = fields.place(property);
    if (headers.size() > limits.headers()) {
      fields.report(
          refusal(place, headers.size() + " headers are more than the " + limits.headers()));
    }
    Set<String> seen = new HashSet<>();
    int size = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String at = place + "." + Quoted.of(header.getKey());
      try {
        checkName(at, header.getKey());
        checkValue(at, header.getValue());
      } catch (JobException e) {
        fields.report(e);
      }
      if (!seen.add(header.getKey().toLowerCase(Locale.ROOT))) {
        fields.report(
            JobException.invalid(at + ": is given twice; case does not matter in header names"));
      }
      size += header.getKey().length() + header.getValue().length();
    }
    if (size > limits.headerBytes()) {
      fields.report(refusal(place, size + " characters are more than the " + limits.headerBytes()));
    }
  }

  private static JobException refusal(String place, String what) {
    return JobException.invalid(place + ": " + what + " allowed");
  }

  static void checkName(String at, String name) {
    if (name.isEmpty() || !name.chars().allMatch(HeaderRules::isTokenCharacter)) {
      throw JobException.invalid(
          at + ": the name of a header must hold only letters, digits and " + TOKEN_SIGNS);
    }
    String folded = name.toLowerCase(Locale.ROOT);
    if (RESERVED.contains(folded) || RESERVED_PREFIXES.stream().anyMatch(folded::startsWith)) {
      throw JobException.invalid(at + ": this header is set by the scheduler, not by a job");
    }
  }

  static void checkValue(String at, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (!isPrintable(value.charAt(i))) {
        throw JobException.invalid(
            at
                + String.format(Locale.ROOT, ": holds U+%04X;", (int) value.charAt(i))
                + " only printable ASCII and Latin-1 characters and tabs are allowed");
      }
    }
  }

  private static boolean isTokenCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || TOKEN_SIGNS.indexOf(c) >= 0;
  }

  private static boolean isPrintable(char c) {
    return (c >= ' ' && c <= '~') || (c >= 0xA0 && c <= 0xFF) || c == '\t';
  }
}
