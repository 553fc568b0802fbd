package carillon.job.action;

/**
 * A text that must never be shown: passwords, keys, tokens, certificates. It is sealed in Redis,
 * and unsealed only during an attempt.
 *
 * @param text in clear, or sealed
 */
public record Secret(String text) {
  /**
   * Placeholder for an omitted secret, so that the stored one stays. It is an unpaired surrogate:
   * no client can send an equal text, and it cannot be written as UTF-8.
   */
  public static final Secret KEPT = new Secret("\uD800");

  /** Placeholder for a secret given as {@link #MASK}, so that the stored one stays. */
  public static final Secret MASKED = new Secret("\uD801");

  /**
   * Mask in answers for secrets without a separate field: values of headers and query parameters.
   * If a client gives it as a secret, the stored one stays.
   */
  public static final String MASK = "***";

  /** Mapping of secrets to others, which seals or unseals them. */
  @FunctionalInterface
  public interface Mapping {
    /**
     * Returns the replacement for a secret.
     *
     * @param field of the secret: within a call {@code request.authentication.password}, within a
     *     job {@code action.errorAction.request.authentication.password}. Sealed secrets are bound
     *     to it, so that the name of a field cannot be changed later
     */
    Secret apply(String field, Secret secret);
  }

  /** Whether this means that the stored secret stays. */
  public boolean isKept() {
    return equals(KEPT) || equals(MASKED);
  }

  /** Hides the text. */
  @Override
  public String toString() {
    return "Secret";
  }
}
