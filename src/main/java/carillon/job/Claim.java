package carillon.job;

/**
 * A node's exclusive hold on an attempt. Its {@link #text} is what stands in Redis among the claims
 * of the node, from when the attempt is taken until it ends or waits again:
 *
 * <pre>
 * run:default/default/default/hello at=2026-11-20T18:00:00Z occurrence=4 main=2 revision=1795197600000 crashes=0 claim=k3x9q2-1f
 * </pre>
 *
 * Who ends a claim names it whole. A command that Redis gets late, or twice, therefore ends the
 * claim that it is about or none, and never a later one of the same attempt.
 *
 * @param attempt that is claimed
 * @param token of the poll of the partition that took it: no two polls of a node share one
 */
public record Claim(Attempt attempt, String token) {
  private static final String TOKEN = " claim=";

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws RuntimeException when it did not write this
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

  /** The stored form of a claim of what cannot be read as an attempt. */
  public static String text(String entry, String token) {
    return entry + TOKEN + token;
  }

  /** What is held, as the stored form of a claim names it. */
  public static String entry(String text) {
    int end = text.lastIndexOf(TOKEN);
    return end < 0 ? text : text.substring(0, end);
  }

  /** Of the texts alone, which know their own: sets of claims are asked with each step of each. */
  @Override
  public int hashCode() {
    return 31 * attempt.job().hashCode() + token.hashCode();
  }

  /** This claim with its attempt moved to a later occurrence; see {@link Attempt#movedTo}. */
  public Claim of(Attempt moved) {
    return new Claim(moved, token);
  }
}
