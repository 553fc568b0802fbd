package carillon.dispatch;

import carillon.job.Attempt;
import carillon.job.CollectionDefinition.WebhookSigning;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs calls as Standard Webhooks 1.0.0 has it: HMAC-SHA256 over id, time and body with each
 * secret. The id is that of the delivery, so that it is the same in every attempt of an action.
 * Thread-safe.
 */
final class WebhookSignatures {
  static final WebhookSignatures NONE = new WebhookSignatures(List.of());

  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKey> keys;

  /**
   * Signs with these secrets.
   *
   * @param secrets {@code whsec_} and base64
   */
  WebhookSignatures(List<String> secrets) {
    this.keys = secrets.stream().map(WebhookSignatures::key).toList();
  }

  private static SecretKey key(String secret) {
    byte[] bytes = Base64.getDecoder().decode(secret.substring(WebhookSigning.PREFIX.length()));
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  /** Adds the headers of one attempt; none where there is no secret. */
  void addTo(MultiMap headers, Attempt attempt, Instant now, String body) {
    if (!keys.isEmpty()) {
      String id = attempt.deliveryId();
      String time = Long.toString(now.getEpochSecond());
      headers.set("webhook-id", id);
      headers.set("webhook-timestamp", time);
      headers.set("webhook-signature", of(id, time, body));
    }
  }

  /** The value of the header: {@code v1,<base64>} for each secret, blanks between. */
  String of(String id, String time, String body) {
    byte[] content = (id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8);
    StringBuilder all = new StringBuilder();
    for (SecretKey key : keys) {
      all.append(all.isEmpty() ? "v1," : " v1,").append(of(key, content));
    }
    return all.toString();
  }

  private static String of(SecretKey key, byte[] content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getEncoder().encodeToString(mac.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Tells nothing. */
  @Override
  public String toString() {
    return "Signatures[" + keys.size() + "]";
  }
}
