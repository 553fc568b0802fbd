package carillon.redis;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Quoted;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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

  private static final int MAX_NAMED = 8;

  private static final String SILENCE = "did not answer in time";

  private RedisErrors() {}

  static JobException unavailable(String message) {
    return new JobException(ErrorCode.STORE_UNAVAILABLE, message);
  }

  /**
   * Failure of a command as its callers see it: a loss of the connection and a passing error are
   * {@link ErrorCode#STORE_UNAVAILABLE}, a key of another type is {@link ErrorCode#STORE_DAMAGED}.
   *
   * @param keys of the command
   */
  static Throwable translate(Throwable failure, Supplier<List<String>> keys) {
    return is("WRONGTYPE", failure)
        ? new JobException(ErrorCode.STORE_DAMAGED, damaged(keys.get()))
        : translate(failure);
  }

  private static String damaged(List<String> keys) {
    String named =
        keys.stream()
            .distinct()
            .limit(MAX_NAMED)
            .map(key -> "'" + Quoted.of(key) + "'")
            .collect(Collectors.joining(", "));
    return "Redis: "
        + (keys.size() == 1 ? "the key " + named : "one of the keys " + named)
        + " holds another type than it must. 'carillon fsck --repair' moves it aside.";
  }

  /** Failure, as its callers see it, of a command without keys. */
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

  /** True if a key holds another type than the command is for, after {@link #translate}. */
  public static boolean isWrongType(Throwable failure) {
    return failure instanceof JobException e && e.code() == ErrorCode.STORE_DAMAGED;
  }

  /** True if Redis answered with this error. */
  static boolean is(String word, Throwable failure) {
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
