package carillon.store.job;

/**
 * Refusal of a write, because the collection was deleted or got other limits after the writer read
 * it. Nothing was written. Drop any cached state of the collection, and read its rules again.
 */
public final class StaleCollectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StaleCollectionException() {
    super("the collection was deleted or changed in the meantime", null, false, false);
  }
}
