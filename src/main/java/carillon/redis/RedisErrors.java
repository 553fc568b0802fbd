package carillon.redis;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Meanings of the failures of Redis commands. */
public final class RedisErrors {
  /**
   * Errors that Redis answers for now, and the one by which the client says that the connection was
   * closed: the same command may succeed later.
   */
  private static final Set<String> PASSING =
      Set.of(
          "LOADING",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "READONLY",
          "NOREPLICAS",
          "MISCONF",
          "OOM",
          "BUSY",
          "NOAUTH",
          "WRONGPASS",
          "NOPERM",
          "UNBLOCKED",
          "CONNECTION_CLOSED");

  private static final String SILENCE = "did not answer in time";

  private RedisErrors() {}

  static JobException unavailable(String message) {
    return new JobException(ErrorCode.STORE_UNAVAILABLE, message);
  }

  /** A loss of the connection and a passing error are {@link ErrorCode#STORE_UNAVAILABLE}. */
  static Throwable translate(Throwable failure) {
    boolean redisAnswered = failure instanceof ErrorType || failure.getCause() instanceof ErrorType;
    if (failure instanceof JobException || (redisAnswered && !PASSING.contains(word(failure)))) {
      return failure;
    }
    String what = failure instanceof TimeoutException ? SILENCE : "did not answer";
    return unavailable("Redis " + what + ": " + text(failure));
  }

  /**
   * True if nothing came before the deadline, neither a reply nor a refusal, after {@link
   * #translate}.
   */
  static boolean isSilence(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains(SILENCE);
  }

  /** The message of a failure; its class if it has none, as of closed channels. */
  static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getSimpleName() : message;
  }

  /** True if Redis answered with this error. */
  public static boolean is(String word, Throwable failure) {
    return word(failure).equals(word);
  }

  /** True if this user lacks the right, also after {@link #translate}. */
  static boolean isForbidden(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("NOPERM");
  }

  /** The server that MOVED or ASK names: {@code MOVED 3999 10.0.0.7:6381}. */
  static String target(Throwable failure) {
    String message = failure.getMessage();
    return message.substring(message.lastIndexOf(' ') + 1);
  }

  /** The first word of the message: of an error of Redis its kind. */
  static String word(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }
}
