package carillon.redis.embedded;

/**
 * Failure to start or reach the embedded Redis. The message is for the operator: the fault, its
 * place, and a remedy.
 */
public final class EmbeddedRedisException extends RuntimeException {

  EmbeddedRedisException(String message) {
    super(message);
  }

  EmbeddedRedisException(String message, Throwable cause) {
    super(message, cause);
  }
}
