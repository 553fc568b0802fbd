package carillon.fsck;

/** Reads the fences of collections, as they stand in {@code {17}:epochs}. */
final class Fences {
  private Fences() {}

  /** Whether the text can be read. */
  static boolean isReadable(String fence) {
    return fence.matches("-?\\d{1,18} -?\\d{1,18}");
  }

  /**
   * Whether a job of this epoch was deleted with its collection.
   *
   * @param fence null for none
   * @param epoch of the job, null for 0
   */
  static boolean isDead(String fence, String epoch) {
    if (fence == null || !isReadable(fence)) {
      return false;
    }
    long written = epoch == null || !epoch.matches("\\d{1,18}") ? 0 : Long.parseLong(epoch);
    return written <= Long.parseLong(fence.substring(fence.indexOf(' ') + 1));
  }
}
