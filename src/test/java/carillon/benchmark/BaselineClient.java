package carillon.benchmark;

import carillon.load.Target;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ceiling of calls: calls the target as the scheduler does, and does nothing else. Each instance is
 * the share of one event loop.
 */
final class BaselineClient extends VerticleBase {
  private static final int POOL = 256;

  private final URI target;
  private final String jobs;
  private final int count;
  private final int inFlight;
  private final AtomicInteger next;
  private final Promise<Void> done = Promise.promise();
  private HttpClient client;
  private int ended;

  /**
   * @param jobs name of the {@link JobBatch} of the calls
   * @param count total number of calls of all event loops
   * @param inFlight number of concurrent calls of this event loop
   * @param next number of the next call, shared by all event loops
   */
  BaselineClient(URI target, String jobs, int count, int inFlight, AtomicInteger next) {
    this.target = target;
    this.jobs = jobs;
    this.count = count;
    this.inFlight = inFlight;
    this.next = next;
  }

  @Override
  public Future<?> start() {
    client =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(POOL).setMaxWaitQueueSize(inFlight));
    for (int i = 0; i < inFlight; i++) {
      callNext();
    }
    return done.future();
  }

  private void callNext() {
    int index = next.getAndIncrement();
    if (index < count) {
      call(index).onSuccess(answered -> callNext()).onFailure(done::tryFail);
    } else if (++ended == inFlight) {
      done.tryComplete();
    }
  }

  private Future<?> call(int index) {
    return client
        .request(options(index))
        .compose(request -> request.send("{\"n\":1}"))
        .compose(response -> response.body());
  }

  private RequestOptions options(int index) {
    String execution = UUID.nameUUIDFromBytes(new byte[] {(byte) index}).toString();
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setHost(target.getHost())
        .setPort(target.getPort())
        .setURI(target.getPath())
        .putHeader("User-Agent", "Carillon/benchmark")
        .putHeader("Idempotency-Key", execution)
        .putHeader("Carillon-Execution-Id", execution)
        .putHeader("Carillon-Attempt", "1")
        .putHeader(Target.JOB, jobs + "-" + index)
        .putHeader("Carillon-Collection", "benchmark")
        .putHeader(Target.EXPECTED, "2030-01-01T00:00:00Z")
        .putHeader("Carillon-Region", "local")
        .putHeader("Content-Type", "application/json");
  }
}
