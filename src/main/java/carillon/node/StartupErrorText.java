package carillon.node;

import carillon.config.Settings;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import java.net.BindException;

/** Says in one line why a start failed. */
public final class StartupErrorText {
  private StartupErrorText() {}

  public static String describe(Throwable failure, Settings settings) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return "http.port "
            + settings.http().port()
            + " on "
            + settings.http().host()
            + " is in use or not permitted ("
            + cause.getMessage()
            + "); set CARILLON_HTTP_PORT";
      }
    }
    if (failure instanceof JobException refusal && refusal.code() == ErrorCode.STORE_UNAVAILABLE) {
      return "Redis at redis.uri (CARILLON_REDIS_URI) cannot be used: " + refusal.getMessage();
    }
    return failure.getMessage() == null
        ? failure.toString()
        : failure.getMessage().replace('\n', ' ');
  }
}
