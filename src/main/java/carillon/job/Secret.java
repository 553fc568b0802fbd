package carillon.job;

/**
 * A text that must not leave: passwords, keys, tokens, certificates. In Redis it is sealed; it is
 * opened for the moment of an attempt.
 *
 * @param text in clear, or sealed
 */
public record Secret(String text) {

  /** Turns secrets into others: seals them, or opens them. */
  @FunctionalInterface
  public interface Mapping {
    /**
     * The secret that takes the place of another.
     *
     * @param field where it stands within its call, {@code queueMessage.sasToken}. Sealed secrets
     *     are bound to it, so that it cannot be changed later
     */
    Secret apply(String field, Secret secret);
  }

  /** Tells nothing. */
  @Override
  public String toString() {
    return "Secret";
  }
}
