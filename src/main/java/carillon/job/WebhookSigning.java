package carillon.job;

import java.util.List;

/**
 * How the calls of a collection are signed (Standard Webhooks): one signature with each secret, so
 * that receivers can change over from one to the next.
 *
 * @param secrets {@code whsec_} and base64 of 24 to 64 bytes each; {@link Secret#KEPT} alone where
 *     a client gave none
 */
public record WebhookSigning(List<Secret> secrets) {
  /** How a secret begins; base64 follows. */
  public static final String PREFIX = "whsec_";

  /** Stands where a client gave no secrets, so that the stored ones stay. */
  public static final WebhookSigning KEPT = new WebhookSigning(List.of(Secret.KEPT));

  /** Field of the secrets, as {@link Secret.Mapping} names it. */
  private static final String PLACE = "signing.secrets";

  public WebhookSigning {
    secrets = List.copyOf(secrets);
  }

  /** The same with every secret replaced. */
  public WebhookSigning mapSecrets(Secret.Mapping mapping) {
    return new WebhookSigning(
        secrets.stream().map(secret -> mapping.apply(PLACE, secret)).toList());
  }

  /** Whether the stored secrets are to stay. */
  public boolean isKept() {
    return equals(KEPT);
  }
}
