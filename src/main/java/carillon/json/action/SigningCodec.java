package carillon.json.action;

import carillon.job.action.Secret;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Codec of the signing secrets of a collection. No message quotes one. */
public final class SigningCodec {
  private static final String SECRETS = "secrets";

  /**
   * Properties of the signing. Answers contain the second, and requests may repeat it without
   * effect.
   */
  private static final Set<String> KNOWN = Set.of(SECRETS, "secretCount");

  /** Maximum number of secrets: the new one and the old one. */
  private static final int MAX_SECRETS = 2;

  /** Length of a secret in bytes (Standard Webhooks 1.0.0). */
  private static final int MIN_BYTES = 24;

  private static final int MAX_BYTES = 64;

  private final Dialect dialect;

  public SigningCodec(Dialect dialect) {
    this.dialect = dialect;
  }

  public WebhookSigning read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    List<Secret> secrets = fields.secrets(SECRETS);
    if (secrets.isEmpty()) {
      return WebhookSigning.KEPT;
    }
    if (dialect.isChecked()) {
      check(fields.place(SECRETS), secrets);
    }
    return new WebhookSigning(secrets);
  }

  private static void check(String place, List<Secret> secrets) {
    if (secrets.size() > MAX_SECRETS) {
      throw JobException.invalid(
          place + ": " + secrets.size() + " are more than the " + MAX_SECRETS + " allowed");
    }
    for (int i = 0; i < secrets.size(); i++) {
      if (!isSecret(secrets.get(i).text())) {
        throw JobException.invalid(
            place
                + "["
                + i
                + "]: must be "
                + WebhookSigning.PREFIX
                + " and base64 of "
                + MIN_BYTES
                + " to "
                + MAX_BYTES
                + " random bytes");
      }
    }
  }

  private static boolean isSecret(String text) {
    try {
      int bytes =
          text.startsWith(WebhookSigning.PREFIX)
              ? Base64.getDecoder().decode(text.substring(WebhookSigning.PREFIX.length())).length
              : 0;
      return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Writes the signing. Answers contain only the number of secrets. */
  public static void write(JsonGenerator json, CollectionDefinition definition, boolean withSecrets)
      throws IOException {
    if (definition.signing().isEmpty()) {
      return;
    }
    List<Secret> secrets = definition.signing().get().secrets();
    json.writeObjectFieldStart("signing");
    if (!withSecrets) {
      json.writeNumberField("secretCount", secrets.size());
    } else if (!definition.keepsSecrets()) {
      JsonOut.writeTexts(json, "secrets", secrets.stream().map(secret -> secret.text()).toList());
    }
    json.writeEndObject();
  }
}
