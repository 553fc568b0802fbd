package carillon.job.attempt;

/**
 * A node's exclusive hold on an attempt. Redis holds its {@link #text} among the claims of the node
 * until the attempt ends or waits again:
 *
 * <pre>
 * run:default/default/default/hello at=2026-11-20T18:00:00Z occurrence=4 main=2 revision=1795197600000 crashes=0 claim=k3x9q2-1f
 * </pre>
 *
 * A command to end a claim names the whole text. A late or repeated command therefore never ends a
 * later claim of the same attempt.
 *
 * @param attempt that is claimed
 * @param token of the poll of the partition that took it: no two polls of a node share one
 */
public record Claim(Attempt attempt, String token) {
  private static final String TOKEN = " claim=";

  /**
   * Reads the form that {@link #text} writes.
   *
   * @throws RuntimeException when the text is not a claim
   */
  public static Claim parse(String text) {
    int end = text.lastIndexOf(TOKEN);
    if (end < 0) {
      throw new IllegalArgumentException("not a claim: " + text);
    }
    return new Claim(Attempt.parse(text.substring(0, end)), text.substring(end + TOKEN.length()));
  }

  /** The readable and only stored form. */
  public String text() {
    return attempt
        .append(new StringBuilder(Attempt.MEMBER_LENGTH))
        .append(TOKEN)
        .append(token)
        .toString();
  }

  /** The stored form of a claim of an entry that cannot be read as an attempt. */
  public static String text(String entry, String token) {
    return entry + TOKEN + token;
  }

  /** The claimed entry, taken from the stored form of a claim. */
  public static String entry(String text) {
    int end = text.lastIndexOf(TOKEN);
    return end < 0 ? text : text.substring(0, end);
  }

  /**
   * Uses only the job and the token, because strings cache their hashes. Sets of claims are
   * searched with each step of each attempt.
   */
  @Override
  public int hashCode() {
    return 31 * attempt.job().hashCode() + token.hashCode();
  }

  /**
   * Returns this claim with its attempt moved to a later occurrence; see {@link Attempt#movedTo}.
   */
  public Claim of(Attempt moved) {
    return new Claim(moved, token);
  }
}
