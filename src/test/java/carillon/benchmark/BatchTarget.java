package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.MachineInfo;
import carillon.load.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Target of all batches. Answers 200 immediately and records in the batch of the job when the job
 * called. A call of Carillon names its job in a header. Any scheduler may name the job in the path
 * instead ({@link #uri(String, int)}). Thread-safe.
 */
final class BatchTarget {
  private static final String REFUSING = "again";
  private static final String NUMBERED = "t/";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Map<String, JobBatch> batches = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private URI base; // set before the first call

  private BatchTarget() {}

  /** Listens on all processors. */
  static Future<BatchTarget> listen(Vertx vertx) {
    BatchTarget target = new BatchTarget();
    return Target.listen(vertx, MachineInfo.processors(), target::called)
        .onSuccess(listening -> target.base = listening.uri())
        .map(target);
  }

  URI uri() {
    return base.resolve("/x");
  }

  /**
   * Returns the URI for the job with this number of a batch. The path names the job, for calls
   * without a header that names it.
   */
  URI uri(String batch, int index) {
    return base.resolve("/" + NUMBERED + batch + "/" + index);
  }

  int port() {
    return base.getPort();
  }

  /**
   * Returns the URI at which the first call of each job is refused and not recorded. Later calls
   * are handled as at {@link #uri()}.
   */
  URI refusingUri() {
    return base.resolve("/" + REFUSING);
  }

  /** Records calls of these jobs in this batch from now on. */
  JobBatch open(JobBatch batch) {
    batches.put(batch.name(), batch);
    return batch;
  }

  /** Returns all batches that were ever opened. */
  Collection<JobBatch> batches() {
    return batches.values();
  }

  private void called(Target.Call call) {
    if (call.path().equals(REFUSING) && refused.add(call.job())) {
      call.answer(UNAVAILABLE);
    } else {
      note(call, EpochMicros.now());
      call.answer(OK);
    }
  }

  private void note(Target.Call call, long now) {
    String path = call.path();
    if (path.startsWith(NUMBERED)) {
      note(path.substring(NUMBERED.length()), '/', now, null);
    } else {
      note(call.job(), '-', now, call.expected());
    }
  }

  private void note(String id, char separator, long now, String expected) {
    int end = id.lastIndexOf(separator);
    JobBatch batch = end < 0 ? null : batches.get(id.substring(0, end));
    if (batch != null) {
      batch.called(Integer.parseInt(id, end + 1, id.length(), 10), now, expected);
    }
  }
}
