package carillon.benchmark;

import carillon.load.Cleanup;
import carillon.load.EpochMicros;
import carillon.support.Ports;
import carillon.support.RedisServer;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Peer in its own processes, with its own fresh store. All of it ends with {@link #close}, or with
 * this process. All methods block.
 */
final class RunningPeer implements AutoCloseable {
  private static final String NO_MARKER = "\0"; // readiness is checked over HTTP
  private static final long START = 60 * EpochMicros.PER_SECOND;
  private static final long ASK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int SERVER_ERROR = 500;

  /** Settings of every Redis. The settings of the peer follow them. */
  private static final List<String> REDIS_SETTINGS =
      List.of("appendfsync everysec", "tcp-backlog 1024", "maxclients 20000");

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Processor time, either so far or between two readings.
   *
   * @param scheduler time of all its programs
   * @param load time of this process, which runs the load generator and the target
   */
  record Cpu(Duration scheduler, Duration store, Duration load) {
    Cpu since(Cpu before) {
      return new Cpu(
          scheduler.minus(before.scheduler), store.minus(before.store), load.minus(before.load));
    }
  }

  private final Peer peer;
  private final Cleanup cleanup = new Cleanup();
  private final int port = Ports.free();
  private final Optional<RedisServer> redis;
  private final ChildProcess process;

  private RunningPeer(Peer peer, int targetPort) {
    this.peer = peer;
    Path directory = Cleanup.directory("carillon-compare-");
    cleanup.add(() -> Cleanup.remove(directory));
    try {
      this.redis = startStore();
      this.process = startProcess(directory.resolve("data"), targetPort);
      awaitReady();
    } catch (RuntimeException | AssertionError e) {
      cleanup.close();
      throw e;
    }
  }

  /**
   * Starts the peer and waits until it is ready.
   *
   * @param targetPort port of the target that its jobs will call
   * @throws IllegalStateException with the reason, when it cannot be started
   */
  static RunningPeer start(Peer peer, int targetPort) {
    if (peer.store() == Peer.Store.POSTGRES) {
      throw new IllegalStateException("this command starts no PostgreSQL, which it needs");
    }
    return new RunningPeer(peer, targetPort);
  }

  private Optional<RedisServer> startStore() {
    if (peer.store() != Peer.Store.REDIS) {
      return Optional.empty();
    }
    List<String> settings = new ArrayList<>(REDIS_SETTINGS);
    settings.addAll(peer.storeSettings());
    RedisServer server = RedisServer.startWithPort(settings.toArray(String[]::new));
    cleanup.add(server);
    return Optional.of(server);
  }

  private ChildProcess startProcess(Path data, int targetPort) {
    Map<String, String> environment = new HashMap<>(peer.environment());
    environment.put("PORT", Integer.toString(port));
    environment.put("TARGET_PORT", Integer.toString(targetPort));
    environment.put("DATA_DIR", data.toString());
    environment.put("JAVA", ChildProcess.java());
    redis.ifPresent(
        server -> {
          environment.put("REDIS_HOST", "127.0.0.1");
          environment.put("REDIS_PORT", Integer.toString(server.port()));
        });
    ChildProcess started =
        ChildProcess.start(
            peer.name(),
            NO_MARKER,
            peer.run().getParent(),
            environment,
            List.of("/bin/sh", peer.run().toString()));
    cleanup.add(() -> end(started));
    return started;
  }

  /** Ends the program, then kills all programs that it started and left running. */
  private static void end(ChildProcess started) {
    List<ProcessHandle> descendants = started.descendants();
    started.close();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }

  private void awaitReady() {
    long deadline = EpochMicros.now() + START;
    while (!isReady()) {
      if (!process.isAlive()) {
        process.awaitMarker(); // fails after all output is read, as there is no marker
      }
      if (EpochMicros.now() > deadline) {
        throw process.failure("was not ready within a minute");
      }
      LockSupport.parkNanos(ASK_AGAIN);
    }
  }

  private boolean isReady() {
    HttpRequest request =
        HttpRequest.newBuilder(url().resolve(peer.ready())).timeout(Duration.ofSeconds(2)).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() < SERVER_ERROR;
    } catch (IOException e) {
      return false; // nobody listens yet
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Peer peer() {
    return peer;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Returns the request that submits a job, due at an instant of {@link EpochMicros}. */
  Buffer request(String id, int number, long due, URI called) {
    return peer.submit()
        .request(new RequestTemplate.Job(id, number, due, called, "127.0.0.1:" + port));
  }

  /** Returns the name and version of its store, if a store was started here. */
  Optional<String> store() {
    return redis.map(
        server ->
            server
                .list("INFO server")
                .get(0)
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .findAny()
                .map(line -> "Redis " + line.substring(line.indexOf(':') + 1).strip())
                .orElse("Redis"));
  }

  /** Returns the processor time so far, from the process table. */
  Cpu cpu() {
    return new Cpu(
        process.cpuOfTree(),
        redis
            .map(server -> used(ProcessHandle.of(server.pid()).orElseThrow()))
            .orElse(Duration.ZERO),
        used(ProcessHandle.current()));
  }

  private static Duration used(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
