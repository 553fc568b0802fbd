package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Key that a client gives a POST, so that its repeat makes no second job or execution
 * (draft-ietf-httpapi-idempotency-key-header). The name of a job is derived from the key, so
 * nothing is stored. The key of a run is remembered for a day.
 *
 * @param text without quotation marks
 */
record IdempotencyKey(String text) {
  static final String HEADER = "Idempotency-Key";
  private static final Pattern VALID = Pattern.compile("[ -~]{1,255}");
  private static final int BASE = 32;
  private static final int NAME_LENGTH = 26;

  /** Returns the key of a request; empty if it has none. Throws INVALID if the key is malformed. */
  static Optional<IdempotencyKey> of(ApiRequest request) {
    List<String> given = request.http().headers().getAll(HEADER);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    String key = given.get(0).strip().replaceFirst("^\"(.*)\"$", "$1");
    if (given.size() > 1 || !VALID.matcher(key).matches()) {
      throw JobException.invalid(
          HEADER
              + ": '"
              + Quoted.of(String.join(", ", given))
              + "' must be one text of 1 to 255 ASCII characters");
    }
    return Optional.of(new IdempotencyKey(key));
  }

  /**
   * Returns a hash of the key and the client, 130 bits in digits and letters. It is also the name
   * of the job that the key creates.
   */
  String digest(String client) {
    String digits = new BigInteger(1, hash(client + "\n" + text)).toString(BASE);
    return digits.substring(digits.length() - NAME_LENGTH);
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
