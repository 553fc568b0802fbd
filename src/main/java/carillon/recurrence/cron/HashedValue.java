package carillon.recurrence.cron;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Number derived from a job's name, for {@code H} and for jitter. It never changes for a job and
 * differs between jobs, so that jobs with the same expression do not all run concurrently.
 *
 * @param job its full name, in any case
 */
public record HashedValue(String job) {
  /** Number of bytes of the hash that the rule uses; more would not spread better. */
  private static final int BYTES = 8;

  /** A number of low..low + size - 1. */
  int of(CronField field, int low, int size) {
    return low + (int) below(size, field.label());
  }

  /**
   * A number of 0..size - 1.
   *
   * @param what distinguishes several numbers of one job
   */
  public long below(long size, String what) {
    byte[] name = (job.toLowerCase(Locale.ROOT) + ' ' + what).getBytes(StandardCharsets.UTF_8);
    BigInteger hash = new BigInteger(1, Arrays.copyOf(sha256().digest(name), BYTES));
    return hash.mod(BigInteger.valueOf(size)).longValue();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
