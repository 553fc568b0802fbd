package carillon.dispatch.servicebus;

import carillon.job.action.ServiceBusCall.SharedAccessKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Token that grants the rights of a shared access policy of Service Bus for a limited time. */
public final class SharedAccessToken {
  private static final String ALGORITHM = "HmacSHA256";

  private SharedAccessToken() {}

  /**
   * A token in the form of Service Bus: {@code SharedAccessSignature sr=..&sig=..&se=..&skn=..}.
   *
   * @param resource the address that the token is for, and everything below it
   * @param expiry to the second
   */
  public static String sign(String resource, SharedAccessKey key, Instant expiry) {
    String encoded = encoded(resource);
    long seconds = expiry.getEpochSecond();
    String signature = hmac(key.key().text(), encoded + "\n" + seconds);
    return "SharedAccessSignature sr="
        + encoded
        + "&sig="
        + encoded(signature)
        + "&se="
        + seconds
        + "&skn="
        + encoded(key.name());
  }

  private static String hmac(String key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
