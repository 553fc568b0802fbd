package carillon.store.job;

/**
 * Refusal of a write, of which nothing is done, because the collection was deleted or got other
 * limits since the writer asked for it: forget what is known of the collection, and ask for its
 * rules again.
 */
public final class StaleCollectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StaleCollectionException() {
    super("the collection was deleted or changed meanwhile", null, false, false);
  }
}
