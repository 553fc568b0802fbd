package carillon.dispatch.call;

import carillon.job.attempt.Attempt;
import carillon.job.name.IsoInstant;
import carillon.job.name.ShortName;
import io.vertx.core.MultiMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Headers that identify an execution to a target. All but {@code Carillon-Attempt} and {@code
 * x-ms-client-request-id} are the same in every attempt of an action, so that a target can drop
 * repeats by {@code Idempotency-Key}. The error action has another key than the main action.
 *
 * <p>Jobs of subscription and group {@code default}, which no client of Azure names, carry none of
 * the headers of the retired service unless {@code isAzure}.
 *
 * @param userAgent product and version
 * @param region value of {@code Carillon-Region}
 * @param isVirtual whether time is simulated, as {@code Carillon-Clock} reports
 * @param isAzure whether all calls carry the headers of the retired service
 */
public record ExecutionHeaders(
    String userAgent, String region, boolean isVirtual, boolean isAzure) {
  private static final String OWN_GROUP = "default/default/";

  /**
   * Adds the headers of one attempt.
   *
   * @param name {@code collection/job} in the case they were given
   */
  public void addTo(MultiMap headers, Attempt attempt, String name) {
    String execution = attempt.executionId();
    ShortName job = ShortName.parse(name);
    headers.set("User-Agent", userAgent);
    headers.set("Idempotency-Key", attempt.deliveryId(execution));
    String due = IsoInstant.text(attempt.dueAt());
    headers.set("Carillon-Job", job.job());
    headers.set("Carillon-Collection", job.collection());
    headers.set("Carillon-Attempt", Integer.toString(attempt.number()));
    headers.set("Carillon-Scheduled-At", due);
    headers.set("Carillon-Execution-Id", execution);
    headers.set("Carillon-Region", region);
    if (isVirtual) {
      headers.set("Carillon-Clock", "virtual");
    }
    if (isAzure || !attempt.job().startsWith(OWN_GROUP)) {
      headers.set("x-ms-execution-tag", execution);
      headers.set("x-ms-client-request-id", requestId());
      headers.set("x-ms-scheduler-jobid", job.job());
      headers.set("x-ms-scheduler-jobcollectionid", job.collection());
      headers.set("x-ms-scheduler-expected-execution-time", due);
      headers.set("x-ms-scheduler-execution-region", region);
    }
  }

  /** Returns a unique id. It is not secret, so the slower secure generator is not needed. */
  public static String requestId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long version4 = (random.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
    long variant = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(version4, variant).toString();
  }
}
