package carillon.job;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Derives the id of an execution, so that every repeat carries the same one without anything being
 * stored.
 */
final class ExecutionId {
  private static final int BYTES = 16;

  private ExecutionId() {}

  /**
   * The first 128 bits of the SHA-256 of job, revision and nominal instant, in hex: the form of an
   * x-ms-execution-tag.
   */
  static String of(String job, long revision, Instant nominal) {
    byte[] identity = (job + " " + revision + " " + nominal).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(identity);
      return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
