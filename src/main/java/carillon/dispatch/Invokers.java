package carillon.dispatch;

import carillon.job.Call;
import carillon.job.HttpCall;
import carillon.job.Run;
import carillon.secret.SecretException;
import carillon.vault.Vault;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Gives each attempt to the invoker of its kind.
 *
 * @param vault opens secrets
 * @param http for HTTP and HTTPS calls
 */
record Invokers(Vault vault, InstantSource clock, HttpInvoker http) implements Invoker<Call> {
  /** Secrets are in clear from here to the end of the attempt, in memory only. */
  @Override
  public Future<AttemptResult> invoke(Run run, String name, Call call) {
    Call opened;
    try {
      opened = vault.open(run.job(), run.phase(), call);
    } catch (SecretException e) {
      Instant now = clock.instant();
      return Future.succeededFuture(
          new AttemptResult(false, now, now, "Not sent: " + e.getMessage()));
    }
    return http.invoke(run, name, (HttpCall) opened);
  }

  @Override
  public Future<Void> close() {
    return http.close();
  }
}
