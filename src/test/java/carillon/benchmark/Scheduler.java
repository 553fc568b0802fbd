package carillon.benchmark;

import carillon.load.Cleanup;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scheduler that is measured.
 *
 * @param redis URI of its Redis, when known
 * @param process process of the scheduler, when it was started here
 * @param leavesNothing whether its data is removed with it, so that jobs need not be deleted
 */
record Scheduler(
    URI url, Optional<URI> redis, Optional<ChildProcess> process, boolean leavesNothing) {
  private static final String MAIN = "carillon.Main";
  private static final String LISTENING = "listening on ";

  /** Starts a scheduler unless the options name a running one. */
  static Scheduler from(BenchmarkOptions options, Cleanup cleanup) {
    return options
        .url
        .map(url -> new Scheduler(url, options.redis, Optional.empty(), false))
        .orElseGet(() -> start(options.redis, cleanup));
  }

  private static Scheduler start(Optional<URI> redis, Cleanup cleanup) {
    Path data = Cleanup.directory("carillon-benchmark-");
    cleanup.add(() -> Cleanup.remove(data));
    Map<String, String> environment = new HashMap<>();
    environment.put("CARILLON_HTTP_PORT", "0");
    environment.put("CARILLON_DATA_DIR", data.toString());
    environment.put("CARILLON_EGRESS_LOOPBACK", "allow");
    redis.ifPresent(uri -> environment.put("CARILLON_REDIS_URI", uri.toString()));
    ChildProcess process =
        ChildProcess.start(
            ChildProcess.productClassPath(), MAIN, LISTENING, environment, List.of());
    cleanup.add(process);
    URI url = URI.create(process.awaitMarker());
    URI embedded = URI.create("unix://" + data.resolve("redis.sock"));
    return new Scheduler(
        url, Optional.of(redis.orElse(embedded)), Optional.of(process), redis.isEmpty());
  }

  /** Returns {@code host:port} of the scheduler. */
  String authority() {
    return url.getHost() + ":" + url.getPort();
  }
}
