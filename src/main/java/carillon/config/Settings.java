package carillon.config;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Everything an operator can set. The records are the schema: a record is a section, a component a
 * key; their constructors hold the rules and throw a {@link SettingsException} that names every
 * key, value and rule; {@link #defaults} holds the defaults. What each key means is documented in
 * {@code conf/carillon.yaml}, which a test keeps equal to the defaults. Sizes are in bytes.
 */
public record Settings(
    Http http,
    Rates rates,
    Access access,
    Redis redis,
    Data data,
    Embedded embedded,
    Node node,
    int partitions,
    Timer timer,
    Dispatch dispatch,
    Queues queues,
    Egress egress,
    Retry retry,
    History history,
    Audit audit,
    Jobs jobs,
    Collections collections,
    Limits limits,
    Arm arm,
    Secrets secrets,
    OAuth oauth,
    Metrics metrics,
    Tracing tracing,
    Log log) {

  private static final int KB = 1024;
  private static final int MB = 1024 * KB;
  private static final Duration TEN_YEARS = ofDays(3660);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String NAME_RULE = "must be 1 to 64 letters, digits, '.', '_' or '-'";

  /** Checks the rules that concern several sections. */
  public Settings {
    new Rules("")
        .between("partitions", partitions, 1, 1024)
        .require(
            http.maxBody() >= limits.jobBytes(),
            "http.maxBody",
            http.maxBody(),
            "must be at least limits.jobBytes ("
                + limits.jobBytes()
                + "), or such a job cannot be sent",
            "limits.jobBytes")
        .require(
            !access.accept().contains(Access.Proof.CERTIFICATES)
                || !http.tls().clientCa().isEmpty(),
            "http.tls.clientCa",
            http.tls().clientCa(),
            "must be set where access.accept contains certificates",
            "access.accept")
        .require(
            redis.commandTimeout().compareTo(node.lease()) < 0,
            "redis.commandTimeout",
            redis.commandTimeout(),
            "must be shorter than node.lease (" + DurationText.format(node.lease()) + ")",
            "node.lease")
        .check();
  }

  /** The settings of a Carillon that is told nothing. */
  public static Settings defaults() {
    return new Settings(
        new Http(
            "127.0.0.1",
            8080,
            List.of(),
            256 * KB,
            ofSeconds(60),
            10_000,
            0,
            ofSeconds(1),
            false,
            new Http.Https("", "", "", Duration.ZERO)),
        new Rates(0, 0),
        new Access(
            List.of(),
            false,
            false,
            "",
            "",
            ofSeconds(5),
            ofHours(8),
            new Access.Tokens(
                URI.create(""),
                "",
                List.of("RS256", "ES256"),
                URI.create(""),
                "",
                ofSeconds(30),
                "sub",
                "roles",
                List.of()),
            List.of()),
        new Redis(
            List.of(),
            Redis.Mode.STANDALONE,
            "",
            "",
            "",
            "",
            new Redis.Tls("", "", "", true),
            Redis.Durability.ANY,
            "carillon",
            ofSeconds(2),
            ofSeconds(2)),
        new Data(Path.of("data")),
        new Embedded(Embedded.Fsync.EVERYSEC),
        new Node("", List.of(Node.Role.values()), ofSeconds(2), ofSeconds(10), ofSeconds(30)),
        64,
        new Timer(ofMillis(500), 256),
        new Dispatch(1024, 256, ofSeconds(60), 64 * KB, "local", 5, ""),
        new Queues(List.of(), List.of(), 16, ofMinutes(5), 100_000),
        new Egress(List.of(), Egress.Loopback.AUTO),
        new Retry(4, ofSeconds(30), ofSeconds(1), ofHours(1)),
        new History(1000, ofDays(60), 256 * KB),
        new Audit(100_000, 4 * KB, false),
        new Jobs(ofDays(60)),
        new Collections("default"),
        new Limits(64 * KB, 8 * KB, 100, 16 * KB, 32 * KB, TEN_YEARS),
        new Arm(1_000_000_000, 1_000_000_000, 100_000_000, 100_000_000),
        new Secrets(List.of(), ""),
        new OAuth(URI.create("https://login.microsoftonline.com")),
        new Metrics(true, 100),
        new Tracing("", List.of(), 1, ofSeconds(10)),
        new Log(Log.Level.INFO, Log.Format.TEXT));
  }

  /** The HTTP server: API and console. */
  public record Http(
      String host,
      int port,
      List<String> names,
      int maxBody,
      Duration idleTimeout,
      int maxConnections,
      int maxConnectionsPerAddress,
      Duration maxLag,
      boolean jobsMayWrite,
      Https tls) {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");

    public Http {
      names = List.copyOf(names);
      new Rules("http")
          .require(!host.isBlank(), "host", host, "must be a host name or address")
          .between("port", port, 0, 65535)
          .require(
              names.stream().allMatch(name -> HOST_NAME.matcher(name).matches()),
              "names",
              names,
              "must be host names without a port")
          .between("maxBody", maxBody, KB, 64 * MB)
          .between("idleTimeout", idleTimeout, ofSeconds(1), ofHours(1))
          .between("maxConnections", maxConnections, 1, 1_000_000)
          .between("maxConnectionsPerAddress", maxConnectionsPerAddress, 0, 1_000_000)
          .between("maxLag", maxLag, ofMillis(100), ofMinutes(1))
          .check();
    }

    /** How the server proves who it is, and by whom clients may have proved who they are. */
    public record Https(String certificate, String key, String clientCa, Duration hsts) {
      public Https {
        new Rules("http.tls")
            .readable("certificate", certificate)
            .readable("key", key)
            .require(
                certificate.isEmpty() == key.isEmpty(),
                "key",
                key,
                "must be set where http.tls.certificate is, and only there",
                "http.tls.certificate")
            .readable("clientCa", clientCa)
            .require(
                clientCa.isEmpty() || !certificate.isEmpty(),
                "clientCa",
                clientCa,
                "must be empty unless http.tls.certificate is set",
                "http.tls.certificate")
            .between("hsts", hsts, Duration.ZERO, TEN_YEARS)
            .require(
                hsts.isZero() || !certificate.isEmpty(),
                "hsts",
                hsts,
                "must be 0s unless http.tls.certificate is set",
                "http.tls.certificate")
            .check();
      }

      /** Whether the API is served over TLS. */
      public boolean isEnabled() {
        return !certificate.isEmpty();
      }
    }
  }

  /** How many requests a minute a node answers; 0 for any number. */
  public record Rates(int perCaller, int perCollection) {
    public Rates {
      new Rules("rates")
          .between("perCaller", perCaller, 0, 1_000_000_000)
          .between("perCollection", perCollection, 0, 1_000_000_000)
          .check();
    }
  }

  /** Who may use the API. May hold a key: {@code toString} does not show it. */
  public record Access(
      List<Proof> accept,
      boolean unprotected,
      boolean openMonitoring,
      @Setting(secret = true) String adminKey,
      String adminKeyFile,
      Duration revocation,
      Duration session,
      Tokens tokens,
      List<String> certificates) {

    /** How clients may prove who they are. */
    public enum Proof {
      KEYS,
      TOKENS,
      CERTIFICATES
    }

    /** Which tokens (JWT) of an issuer (OpenID Connect) are believed. */
    public record Tokens(
        URI issuer,
        String audience,
        List<String> algorithms,
        URI keys,
        String trustedCa,
        Duration leeway,
        String nameClaim,
        String rolesClaim,
        List<String> roles) {
      private static final Set<String> ALGORITHMS =
          Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
      private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

      public Tokens {
        algorithms = List.copyOf(algorithms);
        roles = List.copyOf(roles);
        String place = "must be https://..., or http://... on this machine";
        new Rules("access.tokens")
            .require(isUnsetOrSafe(issuer), "issuer", issuer, place)
            .require(isUnsetOrSafe(keys), "keys", keys, place)
            .require(
                !algorithms.isEmpty() && ALGORITHMS.containsAll(algorithms),
                "algorithms",
                algorithms,
                "must be some of RS, PS or ES with 256, 384 or 512")
            .readable("trustedCa", trustedCa)
            .between("leeway", leeway, Duration.ZERO, ofMinutes(5))
            .require(!nameClaim.isBlank(), "nameClaim", nameClaim, "must be the name of a claim")
            .require(!rolesClaim.isBlank(), "rolesClaim", rolesClaim, "must be the name of a claim")
            .check();
      }

      private static boolean isUnsetOrSafe(URI uri) {
        return uri.toString().isEmpty()
            || (uri.getHost() != null
                && uri.getUserInfo() == null
                && ("https".equals(uri.getScheme())
                    || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost()))));
      }
    }

    public Access {
      accept = List.copyOf(accept);
      certificates = List.copyOf(certificates);
      boolean takesTokens = accept.contains(Proof.TOKENS);
      new Rules("access")
          .require(
              !takesTokens || !tokens.issuer.toString().isEmpty(),
              "tokens.issuer",
              tokens.issuer,
              "must be set where access.accept contains tokens",
              "access.accept")
          .require(
              !takesTokens || !tokens.audience.isEmpty(),
              "tokens.audience",
              tokens.audience,
              "must be set where access.accept contains tokens",
              "access.accept")
          .require(
              !takesTokens || !tokens.roles.isEmpty(),
              "tokens.roles",
              tokens.roles,
              "must be set where access.accept contains tokens, or nobody could do anything",
              "access.accept")
          .require(
              accept.contains(Proof.CERTIFICATES) != certificates.isEmpty(),
              "certificates",
              certificates,
              "must be set where access.accept contains certificates, and only there",
              "access.accept")
          .require(
              adminKey.isEmpty() || adminKeyFile.isEmpty(),
              "adminKeyFile",
              adminKeyFile,
              "must be empty where access.adminKey is set",
              "access.adminKey")
          .readable("adminKeyFile", adminKeyFile)
          .require(
              accept.contains(Proof.KEYS) || (adminKey.isEmpty() && adminKeyFile.isEmpty()),
              "accept",
              words(accept),
              "must contain keys where access.adminKey or access.adminKeyFile is set",
              "access.adminKey",
              "access.adminKeyFile")
          .require(
              accept.isEmpty() || !unprotected,
              "unprotected",
              unprotected,
              "must be false where access.accept is set",
              "access.accept")
          .between("revocation", revocation, ofMillis(100), ofMinutes(1))
          .between("session", session, ofMinutes(1), ofDays(30))
          .check();
    }

    /** Whether anybody has to say who he is. */
    public boolean isRequired() {
      return !accept.isEmpty();
    }

    private static String words(List<Proof> accept) {
      return accept.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
      return "Access[accept=%s, unprotected=%s]".formatted(words(accept), unprotected);
    }
  }

  /** The Redis that holds everything. May hold passwords: {@code toString} shows addresses only. */
  public record Redis(
      @Setting(secret = true) List<URI> uri,
      Mode mode,
      String masterName,
      String user,
      @Setting(secret = true) String password,
      String passwordFile,
      Tls tls,
      Durability durability,
      String prefix,
      Duration commandTimeout,
      Duration reconnectMax) {
    private static final Set<String> SCHEMES = Set.of("redis", "rediss", "unix");

    /** How Redis is deployed. */
    public enum Mode {
      STANDALONE,
      SENTINEL,
      CLUSTER
    }

    /** What an accepted change must survive. */
    public enum Durability {
      ANY,
      EVERYSEC,
      FSYNC,
      REPLICA
    }

    public Redis {
      uri = List.copyOf(uri);
      new Rules("redis")
          .require(
              uri.stream().allMatch(Redis::isAddress),
              "uri",
              addresses(uri),
              "must be redis://host:port, rediss://host:port (TLS) or unix:///path")
          .require(
              mode != Mode.STANDALONE || uri.size() <= 1,
              "uri",
              addresses(uri),
              "must be one address in mode standalone",
              "redis.mode")
          .require(
              mode == Mode.STANDALONE || (!uri.isEmpty() && isNetwork(uri)),
              "uri",
              addresses(uri),
              "must be one or more host:port, all redis:// or all rediss://, in modes sentinel and"
                  + " cluster",
              "redis.mode")
          .require(
              mode == Mode.SENTINEL || masterName.isEmpty(),
              "masterName",
              masterName,
              "is for mode sentinel",
              "redis.mode")
          .require(
              mode != Mode.SENTINEL || !masterName.isEmpty(),
              "masterName",
              masterName,
              "must be the name under which the Sentinels know the master",
              "redis.mode")
          .require(
              password.isEmpty() || passwordFile.isEmpty(),
              "passwordFile",
              passwordFile,
              "must be empty when redis.password is given",
              "redis.password")
          .readable("passwordFile", passwordFile)
          .require(
              durability != Durability.REPLICA || !uri.isEmpty(),
              "durability",
              durability.name().toLowerCase(Locale.ROOT),
              "needs a Redis with replicas: the embedded one gives everysec or fsync",
              "redis.uri")
          .matches("prefix", prefix, NAME, NAME_RULE)
          .require(
              !prefix.endsWith("-queue"),
              "prefix",
              prefix,
              "must not end with -queue, as the keys do that jobs fill")
          .between("commandTimeout", commandTimeout, ofMillis(50), ofMinutes(1))
          .between("reconnectMax", reconnectMax, ofMillis(10), ofMinutes(1))
          .check();
    }

    /**
     * How to check servers whose address begins with rediss, and what to show them.
     *
     * @param trustedCa PEM file; empty for what Java trusts
     * @param certificate PEM file, empty for none
     * @param key PEM file of the certificate's key
     */
    public record Tls(String trustedCa, String certificate, String key, boolean verifyHost) {
      public Tls {
        new Rules("redis.tls")
            .readable("trustedCa", trustedCa)
            .readable("certificate", certificate)
            .readable("key", key)
            .require(
                certificate.isEmpty() == key.isEmpty(),
                "key",
                key,
                "must be given with redis.tls.certificate, and only with it",
                "redis.tls.certificate")
            .check();
      }
    }

    /** Whether Carillon starts a Redis of its own. */
    public boolean isEmbedded() {
      return uri.isEmpty();
    }

    @Override
    public String toString() {
      return "Redis[uri=%s, mode=%s, durability=%s, prefix=%s, commandTimeout=%s, reconnectMax=%s]"
          .formatted(addresses(uri), mode, durability, prefix, commandTimeout, reconnectMax);
    }

    private static boolean isAddress(URI uri) {
      String scheme = uri.getScheme() == null ? "" : uri.getScheme();
      boolean local = scheme.equals("unix");
      return SCHEMES.contains(scheme)
          && (local
              ? uri.getPath() != null && uri.getPath().length() > 1
              : uri.getAuthority() != null);
    }

    private static boolean isNetwork(List<URI> uris) {
      return uris.stream().allMatch(uri -> uri.getHost() != null && uri.getPort() > 0)
          && uris.stream().map(URI::getScheme).distinct().count() == 1;
    }

    /** Scheme, host, port and path; nothing that could be a password. */
    private static List<String> addresses(List<URI> uris) {
      return uris.stream().map(uri -> isAddress(uri) ? address(uri) : "(hidden)").toList();
    }

    private static String address(URI uri) {
      String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
      String host = authority.substring(authority.lastIndexOf('@') + 1);
      return uri.getScheme() + "://" + host + uri.getRawPath();
    }
  }

  /** Where files are kept. */
  public record Data(Path dir) {}

  /** The Redis that Carillon starts itself when {@code redis.uri} is empty. */
  public record Embedded(Fsync appendfsync) {

    /** When the append-only file is forced to the disk. */
    public enum Fsync {
      EVERYSEC,
      ALWAYS
    }
  }

  /** This process among the others on the same Redis. */
  public record Node(
      String id, List<Role> roles, Duration heartbeat, Duration lease, Duration stopGrace) {

    /** What a node can do. */
    public enum Role {
      /** Serves the API. */
      API("api"),
      /** Finds what is due and makes the calls. */
      TIMER_DISPATCH("timer+dispatch");

      private final String word;

      Role(String word) {
        this.word = word;
      }

      @Override
      public String toString() {
        return word;
      }
    }

    public Node {
      roles = List.copyOf(roles);
      new Rules("node")
          .require(!roles.isEmpty(), "roles", roles, "must be api, timer+dispatch or both")
          .require(id.isEmpty() || NAME.matcher(id).matches(), "id", id, NAME_RULE + ", or empty")
          .between("heartbeat", heartbeat, ofMillis(100), ofMinutes(1))
          .between("lease", lease, ofMillis(300), ofMinutes(10))
          .require(
              lease.compareTo(heartbeat.multipliedBy(3)) >= 0,
              "lease",
              lease,
              "must be at least 3 times node.heartbeat (" + DurationText.format(heartbeat) + ")",
              "node.heartbeat")
          .between("stopGrace", stopGrace, Duration.ZERO, ofHours(1))
          .check();
    }

    /** Whether this node has that role. */
    public boolean has(Role role) {
      return roles.contains(role);
    }
  }

  /** Finding what is due. */
  public record Timer(Duration look, int batch) {
    public Timer {
      new Rules("timer")
          .between("look", look, ofMillis(10), ofSeconds(10))
          .between("batch", batch, 1, 256)
          .check();
    }
  }

  /** Calling the targets. */
  public record Dispatch(
      int maxInFlight,
      int maxPerDestination,
      Duration timeout,
      int maxResponse,
      String region,
      int maxCrashes,
      String trustedCa) {
    private static final Pattern HEADER_VALUE = Pattern.compile("[!-~]([ -~]{0,62}[!-~])?");

    public Dispatch {
      new Rules("dispatch")
          .between("maxInFlight", maxInFlight, 1, 100_000)
          .between("maxPerDestination", maxPerDestination, 1, 100_000)
          .between("timeout", timeout, ofMillis(100), ofHours(1))
          .between("maxResponse", maxResponse, 0, 16 * MB)
          .matches("region", region, HEADER_VALUE, "must be 1 to 64 printable ASCII characters")
          .between("maxCrashes", maxCrashes, 1, 1000)
          .readable("trustedCa", trustedCa)
          .check();
    }
  }

  /**
   * Queues that jobs fill. {@code storageAccounts} and {@code serviceBus} say where an account or
   * namespace is that is not in Azure: {@code name=address}.
   */
  public record Queues(
      List<String> storageAccounts,
      List<String> serviceBus,
      int busConnections,
      Duration busIdle,
      int redisLength) {
    public Queues {
      storageAccounts = List.copyOf(storageAccounts);
      serviceBus = List.copyOf(serviceBus);
      Rules rules = new Rules("queues");
      Places.check(rules, "storageAccounts", storageAccounts, Set.of("http", "https"));
      Places.check(rules, "serviceBus", serviceBus, Set.of("amqp", "amqps", "http", "https"));
      rules
          .between("busConnections", busConnections, 1, 1000)
          .between("busIdle", busIdle, ofSeconds(1), ofHours(1))
          .between("redisLength", redisLength, 1, 10_000_000)
          .check();
    }

    /** Where a storage account is, when that is set. */
    public Optional<URI> storageAccount(String name) {
      return Places.find(storageAccounts, name, Set.of("http", "https"));
    }

    /** Where a Service Bus namespace is, when that is set for one of these schemes. */
    public Optional<URI> serviceBus(String name, Set<String> schemes) {
      return Places.find(serviceBus, name, schemes);
    }

    /** The places that are set, {@code host:port}: what an operator names, jobs may reach. */
    public List<String> places() {
      return Stream.concat(storageAccounts.stream(), serviceBus.stream())
          .map(Places::authority)
          .toList();
    }
  }

  /** What jobs may call. The entries are read by the policy itself, which refuses at start. */
  public record Egress(List<String> allow, Loopback loopback) {

    /** Whether jobs may call this machine. */
    public enum Loopback {
      /** In a development start: the API is on loopback, Redis is embedded. */
      AUTO,
      ALLOW,
      DENY
    }

    public Egress {
      allow = List.copyOf(allow);
    }
  }

  /** The retry policy of jobs that give none. */
  public record Retry(int count, Duration interval, Duration minInterval, Duration maxRetryAfter) {
    public Retry {
      new Rules("retry")
          .between("count", count, 0, 1000)
          .between("interval", interval, ofMillis(1), TEN_YEARS)
          .between("minInterval", minInterval, ofMillis(1), ofDays(1))
          .between("maxRetryAfter", maxRetryAfter, ofSeconds(0), ofDays(30))
          .require(
              interval.compareTo(minInterval) >= 0,
              "interval",
              interval,
              "must be at least retry.minInterval (" + DurationText.format(minInterval) + ")",
              "retry.minInterval")
          .check();
    }
  }

  /** How much of what happened is kept, per job. */
  public record History(int entries, Duration age, int bytes) {
    public History {
      new Rules("history")
          .between("entries", entries, 1, 100_000)
          .between("age", age, ofMinutes(1), TEN_YEARS)
          .between("bytes", bytes, KB, 64 * MB)
          .check();
    }
  }

  /** How much of what clients change is kept. */
  public record Audit(int entries, int definitionBytes, boolean newDefinitions) {
    public Audit {
      new Rules("audit")
          .between("entries", entries, 0, 10_000_000)
          .between("definitionBytes", definitionBytes, 0, 64 * KB)
          .check();
    }
  }

  /** What becomes of jobs. */
  public record Jobs(Duration keepFinished) {
    public Jobs {
      new Rules("jobs").between("keepFinished", keepFinished, Duration.ZERO, TEN_YEARS).check();
    }
  }

  /** Collections of jobs. */
  public record Collections(@Setting(key = "default") String first) {
    public Collections {
      new Rules("collections")
          .require(
              first.isEmpty() || NAME.matcher(first).matches(),
              "default",
              first,
              NAME_RULE + ", or empty")
          .check();
    }
  }

  /** What a job may be. */
  public record Limits(
      int jobBytes, int uri, int headers, int headerBytes, int body, Duration horizon) {
    public Limits {
      new Rules("limits")
          .between("jobBytes", jobBytes, KB, 16 * MB)
          .between("uri", uri, 64, 64 * KB)
          .between("headers", headers, 0, 1000)
          .between("headerBytes", headerBytes, 0, MB)
          .between("body", body, 0, 16 * MB)
          .require(
              body < jobBytes,
              "body",
              body,
              "must be less than limits.jobBytes (" + jobBytes + "), which the body is a part of",
              "limits.jobBytes")
          .between("horizon", horizon, ofDays(1), TEN_YEARS.multipliedBy(10))
          .check();
    }
  }

  /** How much a subscription may ask of a node in the ARM dialect. Bursts are of five minutes. */
  public record Arm(int writesPerHour, int readsPerHour, int burstWrites, int burstReads) {
    private static final int MOST = 1_000_000_000;

    public Arm {
      new Rules("arm")
          .between("writesPerHour", writesPerHour, 1, MOST)
          .between("readsPerHour", readsPerHour, 1, MOST)
          .between("burstWrites", burstWrites, 1, MOST)
          .between("burstReads", burstReads, 1, MOST)
          .check();
    }
  }

  /** The keys under which secrets are sealed; what they must be is for whoever reads them. */
  public record Secrets(@Setting(secret = true) List<String> keys, String keyFile) {
    public Secrets {
      keys = List.copyOf(keys);
      new Rules("secrets")
          .require(
              keys.isEmpty() || keyFile.isEmpty(),
              "keyFile",
              keyFile,
              "must be empty where secrets.keys is set",
              "secrets.keys")
          .check();
    }

    /** Tells how many. */
    @Override
    public String toString() {
      return "Secrets[" + keys.size() + " keys, keyFile=" + keyFile + "]";
    }
  }

  /** Who gives tokens for calls with authentication of type ActiveDirectoryOAuth. */
  public record OAuth(URI authority) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    public OAuth {
      new Rules("oauth")
          .require(
              isAuthority(authority),
              "authority",
              authority,
              "must be https://host[:port][/path], or http on this machine alone (localhost,"
                  + " 127.0.0.1, [::1])")
          .check();
    }

    private static boolean isAuthority(URI uri) {
      boolean named = uri.getHost() != null && uri.getRawUserInfo() == null;
      boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null;
      return named
          && bare
          && ("https".equals(uri.getScheme())
              || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
    }
  }

  /** What Prometheus reads at {@code /metrics}. */
  public record Metrics(boolean enabled, int destinations) {
    public Metrics {
      new Rules("metrics").between("destinations", destinations, 0, 10_000).check();
    }
  }

  /** Where traces are sent. May hold a key: {@code toString} does not show it. */
  public record Tracing(
      String endpoint, @Setting(secret = true) List<String> headers, int oneIn, Duration timeout) {
    private static final Pattern ENDPOINT = Pattern.compile("(https?://[^\\s@?#]+)?");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+=[ -~]*");

    public Tracing {
      headers = List.copyOf(headers);
      new Rules("tracing")
          .matches(
              "endpoint",
              endpoint,
              ENDPOINT,
              "must be http://host[:port]/path or https://..., without user and query, or empty")
          .require(
              headers.stream().allMatch(header -> HEADER.matcher(header).matches()),
              "headers",
              "(not shown)",
              "must be a list of NAME=VALUE")
          .between("oneIn", oneIn, 1, 1_000_000)
          .between("timeout", timeout, ofMillis(100), ofMinutes(1))
          .check();
    }

    /** Whether anything is traced. */
    public boolean isOn() {
      return !endpoint.isEmpty();
    }

    /** Tells how many headers. */
    @Override
    public String toString() {
      return "Tracing[" + endpoint + ", " + headers.size() + " headers]";
    }
  }

  /** Logging. */
  public record Log(Level level, Format format) {

    /** How a line is written. */
    public enum Format {
      TEXT,
      JSON
    }

    /** The least important messages that are written. */
    public enum Level {
      ERROR,
      WARN,
      INFO,
      DEBUG,
      TRACE
    }
  }
}
