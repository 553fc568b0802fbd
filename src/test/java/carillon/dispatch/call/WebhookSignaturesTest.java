package carillon.dispatch.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookSignaturesTest {
  private static final String SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl";

  /** Vector published by Svix, whose scheme became the standard. */
  @Test
  void aPublishedVectorIsReproduced() {
    String signature =
        new WebhookSigner.Signatures(List.of(SECRET))
            .of(
                "msg_loFOjxBNrRLzqYUf",
                "1731705121",
                "{\"event_type\":\"ping\",\"data\":{\"success\":true}}");

    assertEquals("v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=", signature);
  }

  @Test
  void twoSecretsMakeTwoSignatures() {
    String one = new WebhookSigner.Signatures(List.of(SECRET)).of("id", "1", "b");
    String both = new WebhookSigner.Signatures(List.of(SECRET, SECRET)).of("id", "1", "b");

    assertEquals(one + " " + one, both);
  }
}
