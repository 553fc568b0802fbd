package carillon.store;

import io.vertx.redis.client.Response;

/**
 * Which lives of a collection are over in one partition; the script fragment {@code epoch} says it
 * in full.
 *
 * @param dead jobs of this epoch or an older one were deleted with their collection
 */
record Fence(long dead) {
  private static final Fence NONE = new Fence(-1);

  /**
   * Reads the field of {@code {17}:epochs}.
   *
   * @param field null for most collections
   */
  static Fence of(Response field) {
    if (field == null) {
      return NONE;
    }
    String text = field.toString();
    return new Fence(Long.parseLong(text.substring(text.indexOf(' ') + 1)));
  }

  boolean isDead(long epoch) {
    return epoch <= dead;
  }
}
