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
 * The target of all batches: answers 200 at once and notes in its batch when which job called. A
 * call of Carillon names its job in a header; one of any scheduler may name it in the path ({@link
 * #uri(String, int)}). Thread-safe.
 */
final class BatchTarget {
  private static final String REFUSING = "again";
  private static final String NUMBERED = "t/";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Map<String, JobBatch> batches = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private URI base; // before the first call

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

  /** Where the job of this number of a batch calls, when its call has no header that names it. */
  URI uri(String batch, int index) {
    return base.resolve("/" + NUMBERED + batch + "/" + index);
  }

  int port() {
    return base.getPort();
  }

  /** As {@link #uri()}, but the first call of each job is refused, and not noted. */
  URI refusingUri() {
    return base.resolve("/" + REFUSING);
  }

  /** From now on calls of these jobs are noted there. */
  JobBatch open(JobBatch batch) {
    batches.put(batch.name(), batch);
    return batch;
  }

  /** All that were ever opened. */
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
