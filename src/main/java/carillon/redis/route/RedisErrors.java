package carillon.redis.route;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Meanings of the failures of Redis commands. An error that Redis would answer for any key, such as
 * a missing right, passes: the command is retried. An error of one key, such as a wrong type, does
 * not pass: retries would hold back the other jobs.
 */
public final class RedisErrors {
  private static final String NOPERM = "NOPERM";

  /**
   * Errors that pass: the same command may succeed later. The text says the cause and the remedy.
   * The client itself reports the last one.
   */
  private static final Map<String, String> PASSING =
      Map.ofEntries(
          Map.entry("LOADING", "Redis still loads its data and serves no commands yet"),
          Map.entry("MASTERDOWN", "This replica of Redis has lost its master"),
          Map.entry("CLUSTERDOWN", "The Redis Cluster does not serve all slots at present"),
          Map.entry("TRYAGAIN", "The Redis Cluster is moving the keys of this command"),
          Map.entry(
              "READONLY",
              "This Redis is a replica and refuses writes; Carillon must reach the master"),
          Map.entry(
              "NOREPLICAS",
              "Redis refuses writes, as fewer replicas follow it than min-replicas-to-write"),
          Map.entry(
              "MISCONF", "Redis refuses writes, as it cannot save its data; its log says why"),
          Map.entry(
              "OOM",
              "Redis refuses writes, as its memory has reached maxmemory; raise it or delete jobs"),
          Map.entry("BUSY", "A script has kept Redis busy for too long"),
          Map.entry("NOAUTH", "Redis requires a password (redis.password, redis.uri)"),
          Map.entry(
              "WRONGPASS",
              "Redis refuses the user or the password (redis.user, redis.password, redis.uri)"),
          Map.entry(NOPERM, "The user of Redis lacks a right that Carillon needs"),
          Map.entry("UNBLOCKED", "Redis ended a command that waited"),
          Map.entry("CONNECTION_CLOSED", "Redis did not answer"));

  /**
   * Refusals of a command within a script by the rights of the user, from Redis 7.0 and later ones.
   * Their first word is ERR.
   */
  private static final List<String> FORBIDDEN_IN_SCRIPTS =
      List.of("The user executing the script", "ACL failure in script");

  /** Beginning of the error at maxclients, which has no word of its kind. */
  private static final String MAX_CLIENTS = "ERR max number of clients";

  private static final int MAX_NAMED = 8;

  private static final String SILENCE = "did not answer in time";

  private RedisErrors() {}

  public static JobException unavailable(String message) {
    return new JobException(ErrorCode.STORE_UNAVAILABLE, message);
  }

  /**
   * Failure of a command as its callers see it: a loss of the connection and a passing error are
   * {@link ErrorCode#STORE_UNAVAILABLE}, a key that cannot be written is {@link
   * ErrorCode#STORE_DAMAGED}.
   *
   * @param keys of the command
   */
  public static Throwable translate(Throwable failure, Supplier<List<String>> keys) {
    if (isExhausted(failure)) {
      return damaged(keys.get(), "accepts no more entries");
    }
    return is("WRONGTYPE", failure)
        ? damaged(keys.get(), "holds another type than it must")
        : translate(failure);
  }

  private static JobException damaged(List<String> keys, String fault) {
    String named =
        keys.stream()
            .distinct()
            .limit(MAX_NAMED)
            .map(key -> "'" + Quoted.of(key) + "'")
            .collect(Collectors.joining(", "));
    return new JobException(
        ErrorCode.STORE_DAMAGED,
        "Redis: "
            + (keys.size() == 1 ? "the key " + named : "one of the keys " + named)
            + " "
            + fault
            + ". 'carillon fsck --repair' moves it aside.");
  }

  /** Failure, as its callers see it, of a command without keys. */
  static Throwable translate(Throwable failure) {
    boolean hasAnswered = failure instanceof ErrorType || failure.getCause() instanceof ErrorType;
    Optional<String> cause = cause(failure);
    if (failure instanceof JobException || (hasAnswered && cause.isEmpty())) {
      return failure;
    }
    String silent = "Redis " + (failure instanceof TimeoutException ? SILENCE : "did not answer");
    return unavailable(cause.orElse(silent) + ": " + text(failure));
  }

  /** The cause of an error that passes, before {@link #translate}; empty for other failures. */
  static Optional<String> cause(Throwable failure) {
    if (String.valueOf(failure.getMessage()).startsWith(MAX_CLIENTS)) {
      return Optional.of("Redis has as many connections as maxclients allows; raise it");
    }
    return Optional.ofNullable(PASSING.get(isForbiddenInScript(failure) ? NOPERM : word(failure)));
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

  /** True if a stream has had the last possible id. */
  private static boolean isExhausted(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("exhausted the last possible ID");
  }

  /** True when Redis was away or refused for now: the same command may succeed later. */
  public static boolean isUnavailable(Throwable failure) {
    return failure instanceof JobException e && e.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /**
   * Whether a key holds another type than the command needs, or is a stream that accepts no more
   * entries, after {@link #translate}.
   */
  public static boolean isWrongType(Throwable failure) {
    return failure instanceof JobException e && e.code() == ErrorCode.STORE_DAMAGED;
  }

  /** True if Redis answered with this error. */
  public static boolean is(String word, Throwable failure) {
    return word(failure).equals(word);
  }

  /** True if this user lacks the right, also after {@link #translate}. */
  public static boolean isForbidden(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains(NOPERM);
  }

  private static boolean isForbiddenInScript(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return FORBIDDEN_IN_SCRIPTS.stream().anyMatch(message::contains);
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
