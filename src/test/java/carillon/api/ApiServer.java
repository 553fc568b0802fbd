package carillon.api;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.admin.HealthChecks;
import carillon.api.dialect.DialectModule;
import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.ServerTls;
import carillon.auth.LoginOptions;
import carillon.bus.Messages;
import carillon.bus.TimeControl;
import carillon.config.AccessSettings;
import carillon.config.Settings;
import carillon.config.Settings.ArmSettings;
import carillon.config.Settings.AuditSettings;
import carillon.config.Settings.GroupsSettings;
import carillon.config.Settings.HistorySettings;
import carillon.config.TestSettings;
import carillon.job.name.JobName;
import carillon.json.action.TargetPolicy;
import carillon.observe.metrics.Metrics;
import carillon.redis.Keys;
import carillon.redis.SharedClock;
import carillon.secret.Vault;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The real API on the real store, with a stopped clock and an independent HTTP client. */
public final class ApiServer implements ApiClient, AutoCloseable {
  public static final Instant START = Instant.parse("2026-11-20T18:00:00Z");
  private static final int MAX_BODY = 256 * 1024;
  private static final int INSTANCES = 2;

  /** Request budget that no test uses up. */
  static final ArmSettings PLENTY = new ArmSettings(1_000_000, 1_000_000, 1_000_000, 1_000_000);

  /** Login options without authentication. */
  public static final LoginOptions OPEN = LoginOptions.of(Settings.defaults().access(), List.of());

  public final RedisServer redis;
  private final Duration commandTimeout;
  final Vertx vertx = Vertx.vertx();
  final AtomicReference<List<HealthChecks.Check>> checks = new AtomicReference<>(List.of());
  final AtomicReference<Optional<String>> objectionToChanges =
      new AtomicReference<>(Optional.empty());
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private volatile Duration tick = Duration.ZERO;
  private volatile Duration uncertainty = Duration.ZERO;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ApiVerticle> apis = new CopyOnWriteArrayList<>();
  private final List<DialectModule> dialects;
  private final AdmissionLimits admission;
  private final Metrics metrics =
      new Metrics(
          "test", Settings.defaults().metrics(), now::get, System::nanoTime, Metrics.Traces.NONE);
  private final String deployment;

  /** Parts of a server, with the defaults of tests. */
  static final class Setup {
    RedisServer redis = RedisServer.shared();
    Duration commandTimeout = Duration.ofSeconds(20);
    int instances = INSTANCES;
    boolean isFlushed = true;
    Duration idleTimeout = Duration.ofSeconds(30);
    ArmSettings budget = new ArmSettings(1200, 15_000, 180, 720);
    Vault vault = Keys256.VAULT;
    TargetPolicy targets = TargetPolicy.NONE;
    LoginOptions login = OPEN;
    AdmissionLimits admission = TestLimits.admission();
    Optional<ServerTls> tls = Optional.empty();
    String roles = "api,timer+dispatch";
    boolean onFirstUse = true;
  }

  public ApiServer() {
    this(setup -> {});
  }

  public ApiServer(RedisServer redis) {
    this(setup -> setup.redis = redis);
  }

  /** Starts a server that authenticates its callers. */
  public ApiServer(LoginOptions login) {
    this(
        setup -> {
          setup.login = login;
          setup.budget = PLENTY;
        });
  }

  /** Starts a server with these admission limits. */
  public ApiServer(LoginOptions login, AdmissionLimits admission) {
    this(
        setup -> {
          setup.login = login;
          setup.admission = admission;
        });
  }

  /** Starts a server with these admission limits, and with one event loop. */
  public static ApiServer single(LoginOptions login, AdmissionLimits admission) {
    return new ApiServer(
        setup -> {
          setup.login = login;
          setup.admission = admission;
          setup.instances = 1;
        });
  }

  /** Returns login options that accept only API keys, with this key of the operator. */
  public static LoginOptions keys(ApiKeyToken operator) {
    return keys(List.of(ApiKey.ofOperator(operator)), Duration.ofSeconds(5), false);
  }

  /** Returns login options that accept only API keys. */
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

  /** Starts a server over TLS; {@link #send} cannot connect to it. */
  static ApiServer over(ServerTls tls, LoginOptions login) {
    return new ApiServer(
        setup -> {
          setup.tls = Optional.of(tls);
          setup.login = login;
        });
  }

  /** Returns the Vert.x instance of the API, on which a test can also run its own code. */
  public Vertx vertx() {
    return vertx;
  }

  ApiVerticle api() {
    return apis.get(0);
  }

  /** Starts another node on the same Redis. */
  ApiServer another() {
    return another(OPEN);
  }

  /** Starts another node that authenticates its callers. */
  ApiServer another(LoginOptions login) {
    return new ApiServer(
        setup -> {
          setup.redis = redis;
          setup.isFlushed = false;
          setup.login = login;
        });
  }

  ApiServer(Consumer<Setup> change) {
    Setup setup = new Setup();
    change.accept(setup);
    redis = setup.redis;
    commandTimeout = setup.commandTimeout;
    dialects = ApiVerticle.dialects(setup.budget);
    admission = setup.admission;
    if (setup.isFlushed) {
      redis.flush();
    }
    Messages.register(vertx.eventBus());
    Settings settings =
        TestSettings.with(
            "http.port=0",
            "http.maxBody=" + MAX_BODY,
            "http.idleTimeout=" + setup.idleTimeout,
            "http.maxLag=1m",
            "limits.jobBytes=65536",
            "limits.uri=4096",
            "limits.headers=60",
            "limits.headerBytes=8192",
            "limits.body=20000",
            "limits.horizon=3650d",
            "retry.minInterval=1s",
            "dispatch.region=West US",
            "node.roles=" + setup.roles,
            "collections.onFirstUse=" + setup.onFirstUse);
    ApiOptions options =
        new ApiOptions(settings, "test", setup.vault, setup.targets, setup.login, setup.tls);
    deployment =
        await(
            vertx.deployVerticle(
                () -> instance(options), new DeploymentOptions().setInstances(setup.instances)));
  }

  private ApiVerticle instance(ApiOptions options) {
    HealthChecks readiness =
        new HealthChecks() {
          @Override
          public Future<List<Check>> checks(Stores stores) {
            return Future.succeededFuture(checks.get());
          }

          @Override
          public Optional<String> objectionToChanges() {
            return objectionToChanges.get();
          }
        };
    ApiVerticle api =
        new ApiVerticle(
            storage("n1"),
            now::get,
            options,
            readiness,
            dialects,
            admission,
            metrics.api(),
            Optional.of(metrics),
            Optional.of(new StandingClock()));
    apis.add(api);
    return api;
  }

  /** Clock of a server without a timer: no job ever becomes due. */
  private final class StandingClock implements TimeControl {
    @Override
    public Instant now() {
      return now.get();
    }

    @Override
    public Future<Optional<Instant>> nextDue() {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<Advance> advance(UnaryOperator<Instant> target, int maxAttempts) {
      return Future.succeededFuture(now())
          .map(from -> new Advance(target.apply(from), false, 0, List.of()));
    }
  }

  /** Returns the stores as a node of this name has them. */
  public StoreFactory storage(String node) {
    return new StoreFactory(
        TestRedis.standalone(redis.uri(), commandTimeout, Duration.ofSeconds(1)),
        new Keys("carillon", 4),
        node,
        new Clock(),
        new HistorySettings(1000, Duration.ofDays(60), 65_536),
        Settings.defaults().jobs(),
        new AuditSettings(400, 4096, true),
        Settings.defaults().executions(),
        new GroupsSettings(40, 40));
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

  /** Makes the node not ready from now on, by this check. */
  public void fail(HealthChecks.Check check) {
    checks.set(List.of(check));
  }

  public void moveTo(Instant instant) {
    now.set(instant);
  }

  /** Advances the clock by {@code time} whenever the stores read it. */
  void tick(Duration time) {
    tick = time;
  }

  /** Sets how far Redis' clock may be ahead. */
  void doubt(Duration ahead) {
    uncertainty = ahead;
  }

  List<Integer> ports() {
    return apis.stream().map(ApiVerticle::port).toList();
  }

  public int port() {
    return apis.get(0).port();
  }

  /** Sends a request and checks the answer against the API's description. */
  @Override
  public Answer send(String method, String path, String body, String... headers) {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body.replace('`', '"'));
    HttpRequest request =
        request(path, headers).timeout(Duration.ofSeconds(30)).method(method, publisher).build();
    try {
      Answer answer = Answer.of(client.send(request, HttpResponse.BodyHandlers.ofString()));
      Contract.shared().checkAnswer(method, path, answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  /** Returns the lines of an answer as they arrive. */
  public Stream<String> stream(String path, String... headers) {
    return client
        .sendAsync(request(path, headers).build(), HttpResponse.BodyHandlers.ofLines())
        .join()
        .body();
  }

  /** Writes the text to a socket and reads until the server closes the connection. */
  public String sendRaw(String text) {
    try (Socket socket = RawHttp.connect(port())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a field of a hash. %d in the key is replaced by the partition of the job. */
  String hash(String key, String job, String field) {
    String named = key.formatted(JobName.partition(job, 4));
    return redis.eval("return redis.call('HGET', '" + named + "', '" + field + "')");
  }

  void stopListening() {
    await(vertx.undeploy(deployment));
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
