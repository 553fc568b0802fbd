package carillon.job;

/**
 * A text that must not leave: passwords, keys, tokens, certificates. In Redis it is sealed; it is
 * unsealed for the moment of an attempt.
 *
 * @param text in clear, or sealed
 */
public record Secret(String text) {
  /**
   * Stands where a client gave none, so that the stored one stays. Half of a character: nothing
   * that a client can send is equal to it, and it cannot be written as UTF-8.
   */
  public static final Secret KEPT = new Secret("\uD800");

  /** Stands where a client gave {@link #MASK}, so that the stored one stays. */
  public static final Secret MASKED = new Secret("\uD801");

  /**
   * Stands in answers for the secrets that have no field of their own: values of headers and query
   * parameters. Given as any secret, it keeps the stored one.
   */
  public static final String MASK = "***";

  /** Turns secrets into others: seals them, or unseals them. */
  @FunctionalInterface
  public interface Mapping {
    /**
     * The secret that takes the place of another.
     *
     * @param field where it stands: within a call {@code request.authentication.password}, within a
     *     job {@code action.errorAction.request.authentication.password}. Sealed secrets are bound
     *     to it, so that the name of a field cannot be changed later
     */
    Secret apply(String field, Secret secret);
  }

  /** Whether the stored secret is to stay. */
  public boolean isKept() {
    return equals(KEPT) || equals(MASKED);
  }

  /** Tells nothing. */
  @Override
  public String toString() {
    return "Secret";
  }
}
