package carillon.store.job;

import io.vertx.redis.client.Response;

/**
 * Which lives of a collection are over in one partition; the script fragment {@code epoch} says it
 * in full.
 *
 * @param dead jobs of this epoch or an older one were deleted with their collection
 */
record EpochFence(long dead) {
  private static final EpochFence NONE = new EpochFence(-1);

  /**
   * Reads the field of {@code {17}:epochs}.
   *
   * @param field null for most collections
   */
  static EpochFence of(Response field) {
    if (field == null) {
      return NONE;
    }
    String text = field.toString();
    return new EpochFence(Long.parseLong(text.substring(text.indexOf(' ') + 1)));
  }

  boolean isDead(long epoch) {
    return epoch <= dead;
  }
}
