package carillon.config;

import static carillon.config.SettingRules.KB;
import static carillon.config.SettingRules.MB;
import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * All settings of a node. The records are the schema: a record is a section, a component a key.
 * Each record has its rules in its constructor, which throws a {@link SettingsException} with every
 * key, value and rule. Small sections are nested here, large ones have a file. {@code
 * conf/carillon.yaml} documents each key; a test keeps it equal to the defaults. Sizes are in
 * bytes.
 */
public record Settings(
    HttpSettings http,
    RatesSettings rates,
    AccessSettings access,
    ConsoleSettings console,
    RedisSettings redis,
    DataSettings data,
    EmbeddedSettings embedded,
    NodeSettings node,
    int partitions,
    ClockSettings clock,
    TimerSettings timer,
    DispatchSettings dispatch,
    QueuesSettings queues,
    EgressSettings egress,
    RetrySettings retry,
    HistorySettings history,
    ExecutionsSettings executions,
    AuditSettings audit,
    JobsSettings jobs,
    CollectionsSettings collections,
    GroupsSettings groups,
    LimitsSettings limits,
    ArmSettings arm,
    SecretsSettings secrets,
    OAuthSettings oauth,
    MetricsSettings metrics,
    TracingSettings tracing,
    LogSettings log) {

  /** Checks the rules about several sections. */
  public Settings {
    new SettingRules("")
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
            !access.accept().contains(AccessSettings.Proof.CERTIFICATES)
                || !http.tls().clientCa().isEmpty(),
            "http.tls.clientCa",
            http.tls().clientCa(),
            "must be set where access.accept contains certificates",
            "access.accept")
        .require(
            !http.corsOrigins().contains("*") || !access.accept().isEmpty(),
            "http.corsOrigins",
            http.corsOrigins(),
            "must name origins where access.accept is empty: with * every page in a browser that"
                + " reaches this machine could change jobs",
            "access.accept")
        .require(
            !console.signIn().isEnabled() || access.accept().contains(AccessSettings.Proof.TOKENS),
            "console.signIn.clientId",
            console.signIn().clientId(),
            "must be empty unless access.accept contains tokens: people sign in at their issuer",
            "access.accept")
        .require(
            !clock.isVirtual() || redis.isEmbedded(),
            "clock.virtual",
            clock.virtual(),
            "needs the Redis that comes along: leave redis.uri empty",
            "redis.uri")
        .require(
            redis.commandTimeout().compareTo(node.lease()) < 0,
            "redis.commandTimeout",
            redis.commandTimeout(),
            "must be shorter than node.lease (" + DurationText.format(node.lease()) + ")",
            "node.lease")
        .check();
  }

  /** The defaults. */
  public static Settings defaults() {
    return new Settings(
        HttpSettings.defaults(),
        new RatesSettings(RatesSettings.AUTO, RatesSettings.AUTO),
        AccessSettings.defaults(),
        new ConsoleSettings(ConsoleSettings.SignInSettings.defaults()),
        RedisSettings.defaults(),
        new DataSettings(Path.of("data")),
        new EmbeddedSettings(EmbeddedSettings.Fsync.EVERYSEC),
        NodeSettings.defaults(),
        64,
        new ClockSettings(""),
        new TimerSettings(ofMillis(500), 256),
        DispatchSettings.defaults(),
        QueuesSettings.defaults(),
        new EgressSettings(List.of(), EgressSettings.Loopback.AUTO),
        new RetrySettings(4, ofSeconds(30), ofSeconds(1), ofHours(1)),
        new HistorySettings(1000, ofDays(60), 256 * KB),
        ExecutionsSettings.DEFAULTS,
        new AuditSettings(100_000, 4 * KB, false),
        new JobsSettings(ofDays(60)),
        new CollectionsSettings("default", true),
        new GroupsSettings(250, 250),
        new LimitsSettings(64 * KB, 8 * KB, 100, 16 * KB, 32 * KB, TEN_YEARS),
        new ArmSettings(1_000_000_000, 1_000_000_000, 100_000_000, 100_000_000),
        new SecretsSettings(List.of(), ""),
        new OAuthSettings(URI.create("https://login.microsoftonline.com")),
        new MetricsSettings(true, 100, 100),
        TracingSettings.defaults(),
        new LogSettings(LogSettings.Level.INFO, LogSettings.LogFormat.TEXT));
  }

  /**
   * Section {@code rates}: maximum number of requests that a node answers in a minute. 0 is no
   * limit. {@link #AUTO} is a limit if callers need credentials, else no limit.
   */
  public record RatesSettings(int perCaller, int perCollection) {
    /** Value of a limit that is not set. */
    public static final int AUTO = -1;

    private static final int OF_CREDENTIALS = 60_000;

    public RatesSettings {
      new SettingRules("rates")
          .between("perCaller", perCaller, AUTO, 1_000_000_000)
          .between("perCollection", perCollection, AUTO, 1_000_000_000)
          .check();
    }

    /**
     * The rates with a number for each that is not set.
     *
     * @param asksForCredentials whether callers have to say who they are
     */
    public RatesSettings where(boolean asksForCredentials) {
      int unset = asksForCredentials ? OF_CREDENTIALS : 0;
      return new RatesSettings(
          perCaller == AUTO ? unset : perCaller, perCollection == AUTO ? unset : perCollection);
    }
  }

  /** Section {@code data}: where files are kept. */
  public record DataSettings(Path dir) {}

  /** Section {@code embedded}: the Redis that Carillon starts when {@code redis.uri} is empty. */
  public record EmbeddedSettings(Fsync appendfsync) {

    /** When Redis forces its append-only file to the disk. */
    public enum Fsync {
      /** Once a second: a crash loses nothing, a power failure about a second. */
      EVERYSEC,
      /** Before every answer: a power failure loses nothing that was acknowledged. */
      ALWAYS
    }
  }

  /**
   * Section {@code clock}: whether time is simulated.
   *
   * @param virtual where a virtual clock starts, an instant or {@code now}; empty for the real one
   */
  public record ClockSettings(String virtual) {
    private static final String NOW = "now";

    public ClockSettings {
      new SettingRules("clock")
          .require(
              virtual.isEmpty() || virtual.equals(NOW) || start(virtual).isPresent(),
              "virtual",
              virtual,
              "must be empty, now, or an instant such as 2027-03-28T00:00:00Z")
          .check();
    }

    public boolean isVirtual() {
      return !virtual.isEmpty();
    }

    /**
     * Returns the start of the virtual clock.
     *
     * @param now time of the real clock
     */
    public Instant start(Instant now) {
      return start(virtual).orElse(now);
    }

    private static Optional<Instant> start(String text) {
      try {
        return Optional.of(Instant.parse(text));
      } catch (DateTimeParseException e) {
        return Optional.empty();
      }
    }
  }

  /** Section {@code timer}: how due jobs are found. */
  public record TimerSettings(Duration look, int batch) {
    public TimerSettings {
      new SettingRules("timer")
          .between("look", look, ofMillis(10), ofSeconds(1))
          .between("batch", batch, 1, 256)
          .check();
    }
  }

  /**
   * Section {@code egress}: what jobs may call. {@code EgressPolicy} checks the entries at start.
   */
  public record EgressSettings(List<String> allow, Loopback loopback) {

    /** Whether jobs may call this machine. */
    public enum Loopback {
      /**
       * Allowed only in a first trial: the API listens on loopback, is open and has no other name,
       * and Redis is embedded.
       */
      AUTO,
      ALLOW,
      DENY
    }

    public EgressSettings {
      allow = List.copyOf(allow);
    }
  }

  /** Section {@code retry}: the retry policy of jobs that give none. */
  public record RetrySettings(
      int count, Duration interval, Duration minInterval, Duration maxRetryAfter) {
    public RetrySettings {
      new SettingRules("retry")
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

  /** Section {@code history}: how much history each job keeps. */
  public record HistorySettings(int entries, Duration age, int bytes) {
    public HistorySettings {
      new SettingRules("history")
          .between("entries", entries, 1, 100_000)
          .between("age", age, ofMinutes(1), TEN_YEARS)
          .between("bytes", bytes, KB, 64 * MB)
          .check();
    }
  }

  /**
   * Section {@code executions}: which attempts the log of attempts of all jobs has.
   *
   * @param entries approximate maximum number of entries, of all jobs together
   * @param age maximum age of an entry
   * @param slow duration from which an attempt counts as slow
   */
  public record ExecutionsSettings(Recorded recorded, int entries, Duration age, Duration slow) {
    /** Failures of a week. */
    public static final ExecutionsSettings DEFAULTS =
        new ExecutionsSettings(Recorded.FAILURES, 100_000, ofDays(7), ofSeconds(10));

    /** Which attempts. */
    public enum Recorded {
      /** Failed or slow executions, and successes after failures. */
      FAILURES,
      ALL,
      /** None. */
      NONE
    }

    public ExecutionsSettings {
      new SettingRules("executions")
          .between("entries", entries, 1, 10_000_000)
          .between("age", age, ofMinutes(1), TEN_YEARS)
          .between("slow", slow, ofMillis(1), ofDays(1))
          .check();
    }
  }

  /** Section {@code audit}: how many changes by clients are kept. */
  public record AuditSettings(int entries, int definitionBytes, boolean newDefinitions) {
    /** Settings without a log. */
    public static final AuditSettings NONE = new AuditSettings(0, 0, false);

    public AuditSettings {
      new SettingRules("audit")
          .between("entries", entries, 0, 10_000_000)
          .between("definitionBytes", definitionBytes, 0, 64 * KB)
          .check();
    }
  }

  /** Section {@code jobs}: how long finished jobs are kept. */
  public record JobsSettings(Duration keepFinished) {
    public JobsSettings {
      new SettingRules("jobs")
          .between("keepFinished", keepFinished, Duration.ZERO, TEN_YEARS)
          .check();
    }
  }

  /** Section {@code collections}: creation of collections. */
  public record CollectionsSettings(@Setting(key = "default") String first, boolean onFirstUse) {
    public CollectionsSettings {
      new SettingRules("collections").nameOrEmpty("default", first).check();
    }
  }

  /** Section {@code groups}: how many named resources each group may have. */
  public record GroupsSettings(int flows, int calendars) {
    public GroupsSettings {
      new SettingRules("groups")
          .between("flows", flows, 1, 1000)
          .between("calendars", calendars, 1, 1000)
          .check();
    }
  }

  /** Section {@code limits}: limits on the definition of a job. */
  public record LimitsSettings(
      int jobBytes, int uri, int headers, int headerBytes, int body, Duration horizon) {
    public LimitsSettings {
      new SettingRules("limits")
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

  /**
   * Section {@code arm}: how many requests a subscription may make to a node in the ARM dialect.
   * PUT, PATCH, POST and DELETE are writes, all others reads; a burst is of five minutes.
   */
  public record ArmSettings(int writesPerHour, int readsPerHour, int burstWrites, int burstReads) {
    private static final int MAX_REQUESTS = 1_000_000_000;

    public ArmSettings {
      new SettingRules("arm")
          .between("writesPerHour", writesPerHour, 1, MAX_REQUESTS)
          .between("readsPerHour", readsPerHour, 1, MAX_REQUESTS)
          .between("burstWrites", burstWrites, 1, MAX_REQUESTS)
          .between("burstReads", burstReads, 1, MAX_REQUESTS)
          .check();
    }
  }

  /** Section {@code secrets}: the keys that seal secrets. {@code KeyRing} checks them. */
  public record SecretsSettings(@Setting(secret = true) List<String> keys, String keyFile) {
    public SecretsSettings {
      keys = List.copyOf(keys);
      new SettingRules("secrets")
          .require(
              keys.isEmpty() || keyFile.isEmpty(),
              "keyFile",
              keyFile,
              "must be empty where secrets.keys is set",
              "secrets.keys")
          .check();
    }

    /** Shows the number of keys. */
    @Override
    public String toString() {
      return "Secrets[" + keys.size() + " keys, keyFile=" + keyFile + "]";
    }
  }

  /** Section {@code oauth}: the issuer of tokens for ActiveDirectoryOAuth calls. */
  public record OAuthSettings(URI authority) {
    public OAuthSettings {
      new SettingRules("oauth")
          .require(
              isAuthority(authority),
              "authority",
              authority,
              "must be https://host[:port][/path], or http on this machine alone (localhost,"
                  + " 127.0.0.1, [::1])")
          .check();
    }

    private static boolean isAuthority(URI uri) {
      boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null;
      return bare && SettingRules.isHttpsOrLoopback(uri);
    }
  }

  /** Section {@code metrics}: metrics for Prometheus at {@code /metrics}. */
  public record MetricsSettings(boolean enabled, int destinations, int collections) {
    public MetricsSettings {
      new SettingRules("metrics")
          .between("destinations", destinations, 0, 10_000)
          .between("collections", collections, 0, 10_000)
          .check();
    }
  }

  /** Section {@code log}: level and form of the log. */
  public record LogSettings(Level level, LogFormat format) {

    /** Form of a log line. */
    public enum LogFormat {
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
