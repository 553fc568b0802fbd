package carillon.recurrence.cron;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/**
 * What {@code H} stands for: a number that is the same for ever for one job and differs from job to
 * job, so that jobs of the same expression do not all run at once.
 *
 * @param job its full name, in any case
 */
record HashedValue(String job) {
  /** The first 8 bytes are as many as the rule takes; more would not spread better. */
  private static final int BYTES = 8;

  /** A number of low..low + size - 1. */
  int of(CronField field, int low, int size) {
    byte[] name =
        (job.toLowerCase(Locale.ROOT) + ' ' + field.label()).getBytes(StandardCharsets.UTF_8);
    BigInteger hash = new BigInteger(1, Arrays.copyOf(sha256().digest(name), BYTES));
    return low + hash.mod(BigInteger.valueOf(size)).intValue();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
