package carillon.api;

import carillon.access.ApiKey;
import carillon.api.admin.HealthChecks;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.AllowedHosts;
import carillon.api.http.ApiOptions;
import carillon.api.http.ArmRateLimiter;
import carillon.api.http.ServerTls;
import carillon.auth.LoginOptions;
import carillon.bus.Messages;
import carillon.config.AccessSettings;
import carillon.config.Settings;
import carillon.config.Settings.ArmSettings;
import carillon.config.Settings.AuditSettings;
import carillon.config.Settings.HistorySettings;
import carillon.config.TestSettings;
import carillon.job.JobName;
import carillon.json.TargetPolicy;
import carillon.observe.metrics.Metrics;
import carillon.redis.Keys;
import carillon.redis.SharedClock;
import carillon.secret.Vault;
import carillon.store.StoreFactory;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The real API on the real store, with a clock that stands still, and a foreign client to ask it.
 */
public final class ApiServer implements AutoCloseable {
  public static final Instant START = Instant.parse("2026-11-20T18:00:00Z");
  private static final int MAX_BODY = 256 * 1024;
  private static final int INSTANCES = 2;

  private static final ArmSettings BUDGET = new ArmSettings(1200, 15_000, 180, 720);

  /** Nobody has to say who they are. */
  public static final LoginOptions OPEN = LoginOptions.of(Settings.defaults().access(), List.of());

  public final RedisServer redis;
  final Vertx vertx = Vertx.vertx();
  final AtomicReference<List<HealthChecks.Check>> checks = new AtomicReference<>(List.of());
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private volatile Duration tick = Duration.ZERO;
  private volatile Duration uncertainty = Duration.ZERO;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ApiVerticle> apis = new CopyOnWriteArrayList<>();
  private final ArmRateLimiter armRateLimiter;
  private final AdmissionLimits admission;
  private final Metrics metrics =
      new Metrics("test", 2, now::get, System::nanoTime, Metrics.Traces.NONE);
  private final String deployment;

  public ApiServer() {
    this(RedisServer.shared());
  }

  public ApiServer(RedisServer redis) {
    this(redis, Duration.ofSeconds(30));
  }

  ApiServer(RedisServer redis, Duration idleTimeout) {
    this(redis, idleTimeout, BUDGET);
  }

  ApiServer(RedisServer redis, Duration idleTimeout, ArmSettings budget) {
    this(redis, idleTimeout, budget, Keys256.VAULT, TargetPolicy.NONE, OPEN, true);
  }

  ApiServer(RedisServer redis, Duration idleTimeout, TargetPolicy targets) {
    this(redis, idleTimeout, BUDGET, Keys256.VAULT, targets, OPEN, true);
  }

  ApiServer(RedisServer redis, Duration idleTimeout, Vault vault) {
    this(redis, idleTimeout, vault, true);
  }

  ApiServer(RedisServer redis, Duration idleTimeout, Vault vault, boolean flushed) {
    this(redis, idleTimeout, BUDGET, vault, TargetPolicy.NONE, OPEN, flushed);
  }

  /** One that asks who is calling. */
  public ApiServer(LoginOptions login) {
    this(login, true);
  }

  ApiServer(LoginOptions login, boolean flushed) {
    this(
        RedisServer.shared(),
        Duration.ofSeconds(30),
        new ArmSettings(1_000_000, 1_000_000, 1_000_000, 1_000_000),
        Keys256.VAULT,
        TargetPolicy.NONE,
        login,
        flushed);
  }

  /** Only API keys are accepted. */
  public static LoginOptions keys(
      List<ApiKey> operator, Duration revocation, boolean openMonitoring) {
    AccessSettings access =
        TestSettings.with(
            Settings.defaults().access(),
            "accept=keys",
            "revocation=" + revocation,
            "openMonitoring=" + openMonitoring);
    return LoginOptions.of(access, operator);
  }

  /** Limits on nothing but what {@code key=value} set. */
  public static AdmissionLimits admission(String... settings) {
    return admission(AllowedHosts.any(), Runtime.getRuntime().maxMemory(), settings);
  }

  /** The same under these names, with a heap of this size in bytes. */
  public static AdmissionLimits admission(AllowedHosts names, long heap, String... settings) {
    Settings unlimited =
        TestSettings.with(
            "http.maxConnections=1000000",
            "http.maxConnectionsPerAddress=0",
            "http.jobsMayWrite=true");
    Settings limited = TestSettings.with(unlimited, settings);
    return new AdmissionLimits(limited.http(), limited.rates(), names, heap);
  }

  /** A node that does not serve the API. */
  static ApiServer withoutApi() {
    return new ApiServer(
        RedisServer.shared(),
        Duration.ofSeconds(30),
        BUDGET,
        Keys256.VAULT,
        TargetPolicy.NONE,
        OPEN,
        true,
        false,
        admission(),
        Optional.empty());
  }

  /** One that is reached over TLS; {@link #send} does not reach it. */
  static ApiServer over(ServerTls tls, LoginOptions login) {
    return new ApiServer(
        RedisServer.shared(),
        Duration.ofSeconds(30),
        BUDGET,
        Keys256.VAULT,
        TargetPolicy.NONE,
        login,
        true,
        true,
        admission(),
        Optional.of(tls));
  }

  ApiVerticle api() {
    return apis.get(0);
  }

  /** One that lets in no more than this. */
  public ApiServer(LoginOptions login, AdmissionLimits admission) {
    this(
        RedisServer.shared(),
        Duration.ofSeconds(30),
        BUDGET,
        Keys256.VAULT,
        TargetPolicy.NONE,
        login,
        true,
        true,
        admission,
        Optional.empty());
  }

  /** Another node on the same Redis. */
  ApiServer another() {
    return new ApiServer(redis, Duration.ofSeconds(30), Keys256.VAULT, false);
  }

  private ApiServer(
      RedisServer redis,
      Duration idleTimeout,
      ArmSettings budget,
      Vault vault,
      TargetPolicy targets,
      LoginOptions login,
      boolean flushed) {
    this(
        redis,
        idleTimeout,
        budget,
        vault,
        targets,
        login,
        flushed,
        true,
        admission(),
        Optional.empty());
  }

  private ApiServer(
      RedisServer redis,
      Duration idleTimeout,
      ArmSettings budget,
      Vault vault,
      TargetPolicy targets,
      LoginOptions login,
      boolean flushed,
      boolean servesApi,
      AdmissionLimits admission,
      Optional<ServerTls> tls) {
    this.redis = redis;
    this.armRateLimiter = new ArmRateLimiter(budget);
    this.admission = admission;
    if (flushed) {
      redis.flush();
    }
    Messages.register(vertx.eventBus());
    Settings settings =
        TestSettings.with(
            "http.port=0",
            "http.maxBody=" + MAX_BODY,
            "http.idleTimeout=" + idleTimeout,
            "http.maxLag=1m",
            "limits.jobBytes=65536",
            "limits.uri=4096",
            "limits.headers=60",
            "limits.headerBytes=8192",
            "limits.body=20000",
            "limits.horizon=3650d",
            "retry.minInterval=1s",
            "dispatch.region=West US",
            "node.roles=" + (servesApi ? "api,timer+dispatch" : "timer+dispatch"));
    ApiOptions options = new ApiOptions(settings, "test", vault, targets, login, tls);
    deployment =
        await(
            vertx.deployVerticle(
                () -> instance(options), new DeploymentOptions().setInstances(INSTANCES)));
  }

  private ApiVerticle instance(ApiOptions options) {
    HealthChecks readiness = stores -> Future.succeededFuture(checks.get());
    ApiVerticle api =
        new ApiVerticle(
            storage("n1"),
            now::get,
            options,
            readiness,
            armRateLimiter,
            admission,
            metrics.api(),
            Optional.of(metrics));
    apis.add(api);
    return api;
  }

  /** As a node of this name has it. */
  public StoreFactory storage(String node) {
    return new StoreFactory(
        TestRedis.standalone(redis.uri(), Duration.ofSeconds(5), Duration.ofSeconds(1)),
        new Keys("carillon", 4),
        node,
        new Clock(),
        new HistorySettings(1000, Duration.ofDays(60), 65_536),
        Settings.defaults().jobs(),
        new AuditSettings(400, 4096, true));
  }

  private final class Clock implements SharedClock {
    @Override
    public Instant instant() {
      return now.getAndUpdate(instant -> instant.plus(tick));
    }

    @Override
    public long ask() {
      return 0;
    }

    @Override
    public void observe(long asked, long redisMicros) {}

    @Override
    public Duration uncertainty() {
      return uncertainty;
    }

    @Override
    public int steps() {
      return 0;
    }
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public void moveTo(Instant instant) {
    now.set(instant);
  }

  /** From now on the clock goes on by this whenever the stores ask it. */
  void tick(Duration time) {
    tick = time;
  }

  /** From now on Redis' clock may be ahead by this. */
  void doubt(Duration ahead) {
    uncertainty = ahead;
  }

  List<Integer> ports() {
    return apis.stream().map(ApiVerticle::port).toList();
  }

  public int port() {
    return apis.get(0).port();
  }

  /**
   * Sends a request and holds the answer against the API's description. Headers are given as name,
   * value, name, value.
   */
  public HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, publisher);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      Contract.shared().checkAnswer(method, path, answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The lines of an answer, as they come. */
  public Stream<String> stream(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines()).join().body();
  }

  /** Writes the text to a socket and reads until the server hangs up. */
  public String sendRaw(String text) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A field of a hash; %d in the key stands for the partition of the job. */
  String hash(String key, String job, String field) {
    return redis.eval(
        "return redis.call('HGET', '"
            + String.format(key, JobName.partition(job, 4))
            + "', '"
            + field
            + "')");
  }

  void stopListening() {
    await(vertx.undeploy(deployment));
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
