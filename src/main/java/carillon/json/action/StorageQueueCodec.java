package carillon.json.action;

import carillon.job.action.Secret;
import carillon.job.action.StorageQueueCall;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Codec of storage queue actions, by the names and sizes that Azure allows. */
final class StorageQueueCodec {
  private static final Set<String> KNOWN =
      Set.of("storageAccount", "queueName", "message", "sasToken", PlaceholderRules.PLACEHOLDERS);
  private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9]{3,24}");
  private static final Pattern QUEUE = Pattern.compile("(?=.{3,63}$)[a-z0-9](-?[a-z0-9])*");

  /**
   * The characters of a URI's query (RFC 3986), with an optional leading question mark. The
   * quantifier is possessive: otherwise each character would take a stack frame, and a long token
   * the whole stack.
   */
  private static final Pattern TOKEN =
      Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})++");

  /**
   * Maximum size of a message. A queue takes 64 KiB, which are 48 KiB before base64. The envelope
   * takes up to 1 KiB of them: fixed text, two names of 128 characters, region.
   */
  private static final int MAX_XML_BYTES = 47 * 1024;

  private final Dialect dialect;
  private final SubmissionLimits limits;

  StorageQueueCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
  }

  StorageQueueCall read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    String account =
        fields.requiredText(
            "storageAccount", ACCOUNT, "must be 3 to 24 letters and digits", dialect);
    String queue =
        fields.requiredText(
            "queueName",
            QUEUE,
            "must be 3 to 63 lower-case letters, digits and single hyphens, with a letter or digit"
                + " at both ends",
            dialect);
    String message = fields.requiredText("message");
    Secret token = fields.secretOrKept("sasToken");
    StorageQueueCall call = new StorageQueueCall(account, queue, message, token);
    if (dialect.isChecked()) {
      checkMessage(fields, ((StorageQueueCall) PlaceholderRules.sample(fields, call)).message());
      if (!token.isKept()) {
        checkToken(fields, token);
      }
    }
    return call;
  }

  private void checkMessage(JsonFields fields, String message) {
    fields.checkBytes("message", message, limits.body());
    int bytes = 0;
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      if (!isXml(c)) {
        fields.report(
            JobException.invalid(
                fields.place("message")
                    + String.format(Locale.ROOT, ": holds U+%04X,", (int) c)
                    + " which the XML that a storage queue is given cannot hold"));
        return;
      }
      bytes += "<>&\r".indexOf(c) < 0 ? 0 : 4;
    }
    bytes += message.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_XML_BYTES) {
      fields.report(
          JobException.invalid(
              fields.place("message")
                  + ": "
                  + bytes
                  + " bytes of XML are more than the "
                  + MAX_XML_BYTES
                  + " that a storage queue takes"));
    }
  }

  /** Whether XML 1.0, section 2.2, allows this character. Whole surrogate pairs are characters. */
  private static boolean isXml(char c) {
    return c >= ' ' ? c < '\uFFFE' : c == '\t' || c == '\n' || c == '\r';
  }

  private static void checkToken(JsonFields fields, Secret token) {
    if (!TOKEN.matcher(token.text()).matches()) {
      fields.report(
          JobException.invalid(
              fields.place("sasToken") + ": must be the query of a signed URI, percent-encoded"));
    }
  }

  /** Writes the properties of the message. */
  static void write(JsonGenerator json, StorageQueueCall call, Dialect dialect) throws IOException {
    json.writeStringField("storageAccount", call.storageAccount());
    json.writeStringField("queueName", call.queueName());
    json.writeStringField("message", call.message());
    JsonOut.writeSecret(json, "sasToken", call.sasToken(), dialect);
  }
}
