package carillon.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings.TimerSettings;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the settings themselves: documentation, names and rules. */
class SettingsTest {
  private static final Path DOCUMENTED = Path.of("conf", "carillon.yaml");

  @Test
  void theDocumentedFileEqualsTheDefaults() {
    assertEquals(
        Settings.defaults(),
        SettingsLoader.load(Settings.defaults(), Optional.of(DOCUMENTED), Map.of()));
  }

  @Test
  void theDocumentedFileHasEveryKey() throws IOException {
    JsonNode file = new YAMLMapper().readTree(Files.readString(DOCUMENTED));

    List<String> missing =
        SettingKey.leaves(Settings.class, "").stream()
            .map(SettingKey::path)
            .filter(path -> file.at("/" + path.replace('.', '/')).isMissingNode())
            .toList();

    assertEquals(List.of(), missing);
  }

  @Test
  void theDocumentedFileSaysOfEveryKeyWhatItsDefaultIs() throws IOException {
    List<String> silent = new ArrayList<>();
    StringBuilder comment = new StringBuilder();
    for (String line : Files.readAllLines(DOCUMENTED)) {
      if (line.strip().startsWith("#")) {
        comment.append(line);
      } else {
        String value = line.substring(line.indexOf(':') + 1).strip();
        String expected = value.equals("\"\"") ? "empty" : value;
        if (!value.isEmpty() && !comment.toString().contains("Default " + expected)) {
          silent.add(line);
        }
        comment.setLength(0);
      }
    }

    assertEquals(List.of(), silent);
  }

  @ParameterizedTest
  @CsvSource({
    "http.port, CARILLON_HTTP_PORT",
    "redis.uri, CARILLON_REDIS_URI",
    "redis.mode, CARILLON_REDIS_MODE",
    "redis.masterName, CARILLON_REDIS_MASTER_NAME",
    "redis.passwordFile, CARILLON_REDIS_PASSWORD_FILE",
    "redis.tls.trustedCa, CARILLON_REDIS_TLS_TRUSTED_CA",
    "redis.durability, CARILLON_REDIS_DURABILITY",
    "redis.prefix, CARILLON_REDIS_PREFIX",
    "data.dir, CARILLON_DATA_DIR",
    "node.id, CARILLON_NODE_ID",
    "partitions, CARILLON_PARTITIONS",
    "dispatch.maxInFlight, CARILLON_DISPATCH_MAX_IN_FLIGHT",
    "collections.default, CARILLON_COLLECTIONS_DEFAULT",
    "limits.jobBytes, CARILLON_LIMITS_JOB_BYTES"
  })
  void everyKeyHasItsVariable(String path, String variable) {
    assertTrue(
        SettingKey.leaves(Settings.class, "").stream()
            .anyMatch(key -> key.path().equals(path) && key.variable().equals(variable)));
  }

  /** Returns the refusal of these alternating variables and values. */
  private static SettingsException refused(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return assertThrows(SettingsException.class, () -> SettingsLoader.load(List.of(), environment));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CARILLON_HTTP_HOST | ' ' | http.host (CARILLON_HTTP_HOST) = '': must be a host name or address
          CARILLON_HTTP_PORT | 65536 | http.port (CARILLON_HTTP_PORT) = 65536: must be 0 to 65535
          CARILLON_HTTP_MAX_BODY | 1000 | http.maxBody (CARILLON_HTTP_MAX_BODY) = 1000: must be 1024 to 67108864
          CARILLON_HTTP_MAX_BODY | 2000 | http.maxBody (CARILLON_HTTP_MAX_BODY) = 2000: must be at least limits.jobBytes (65536), or such a job cannot be sent
          CARILLON_HTTP_IDLE_TIMEOUT | 0s | http.idleTimeout (CARILLON_HTTP_IDLE_TIMEOUT) = 0s: must be 1s to 1h
          CARILLON_REDIS_URI | 127.0.0.1:6379 | redis.uri (CARILLON_REDIS_URI) = (hidden): must be a URI: Illegal character in scheme name at character 1 (redis://host:port, rediss://host:port or unix:///path)
          CARILLON_REDIS_URL | redis://h:1 | CARILLON_REDIS_URL: there is no such setting; did you mean CARILLON_REDIS_URI?
          CARILLON_PORT | 8081 | CARILLON_PORT: there is no such setting; did you mean CARILLON_HTTP_PORT?
          CARILLON_REDIS_URI | http://h:1 | redis.uri (CARILLON_REDIS_URI) = [(hidden)]: must be redis://host:port, rediss://host:port (TLS) or unix:///path
          CARILLON_REDIS_URI | redis://a:1,redis://b:2 | redis.uri (CARILLON_REDIS_URI) = [redis://a:1, redis://b:2]: must be one address in mode standalone
          CARILLON_REDIS_MODE | ring | redis.mode (CARILLON_REDIS_MODE) = ring: must be standalone or sentinel or cluster
          CARILLON_REDIS_MODE | cluster | redis.uri (default) = []: must be one or more host:port, all redis:// or all rediss://, in modes sentinel and cluster
          CARILLON_REDIS_MASTER_NAME | m | redis.masterName (CARILLON_REDIS_MASTER_NAME) = m: must be empty unless redis.mode is sentinel
          CARILLON_REDIS_PASSWORD_FILE | /nowhere | redis.passwordFile (CARILLON_REDIS_PASSWORD_FILE) = /nowhere: must be a readable file, or empty
          CARILLON_REDIS_DURABILITY | replica | redis.durability (CARILLON_REDIS_DURABILITY) = replica: needs a Redis with replicas: the embedded one gives everysec or fsync
          CARILLON_REDIS_TLS_TRUSTED_CA | /nowhere | redis.tls.trustedCa (CARILLON_REDIS_TLS_TRUSTED_CA) = /nowhere: must be a readable file, or empty
          CARILLON_REDIS_PREFIX | {a} | redis.prefix (CARILLON_REDIS_PREFIX) = {a}: must be 1 to 64 letters, digits, '.', '_' or '-'
          CARILLON_REDIS_PREFIX | a-queue | redis.prefix (CARILLON_REDIS_PREFIX) = a-queue: must not end with -queue: the keys of queues that jobs fill do
          CARILLON_QUEUES_STORAGE_ACCOUNTS | a=ftp://h | queues.storageAccounts (CARILLON_QUEUES_STORAGE_ACCOUNTS) = a=ftp://h: must be NAME=ADDRESS with an address of http, https, without a user
          CARILLON_QUEUES_STORAGE_ACCOUNTS | http://h | queues.storageAccounts (CARILLON_QUEUES_STORAGE_ACCOUNTS) = http://h: must be NAME=ADDRESS with an address of http, https, without a user
          CARILLON_QUEUES_SERVICE_BUS | a=amqp://u:p@h | queues.serviceBus (CARILLON_QUEUES_SERVICE_BUS) = (hidden): must be NAME=ADDRESS with an address of amqp, amqps, http, https, without a user
          CARILLON_QUEUES_BUS_CONNECTIONS | 0 | queues.busConnections (CARILLON_QUEUES_BUS_CONNECTIONS) = 0: must be 1 to 1000
          CARILLON_QUEUES_BUS_IDLE | 2h | queues.busIdle (CARILLON_QUEUES_BUS_IDLE) = 2h: must be 1s to 1h
          CARILLON_QUEUES_REDIS_QUEUES | 257 | queues.redisQueues (CARILLON_QUEUES_REDIS_QUEUES) = 257: must be 1 to 256
          CARILLON_QUEUES_REDIS_BYTES | 1 | queues.redisBytes (CARILLON_QUEUES_REDIS_BYTES) = 1: must be 1048576 to 1073741824
          CARILLON_QUEUES_REDIS_LENGTH | 0 | queues.redisLength (CARILLON_QUEUES_REDIS_LENGTH) = 0: must be 1 to 10000000
          CARILLON_REDIS_COMMAND_TIMEOUT | 10s | redis.commandTimeout (CARILLON_REDIS_COMMAND_TIMEOUT) = 10s: must be shorter than node.lease (10s)
          CARILLON_REDIS_RECONNECT_MAX | 2m | redis.reconnectMax (CARILLON_REDIS_RECONNECT_MAX) = 2m: must be 10ms to 1m
          CARILLON_DATA_DIR | '' | data.dir (CARILLON_DATA_DIR) = '': must be the path of a file or directory
          CARILLON_EMBEDDED_APPENDFSYNC | no | embedded.appendfsync (CARILLON_EMBEDDED_APPENDFSYNC) = no: must be everysec or always
          CARILLON_NODE_ID | a b | node.id (CARILLON_NODE_ID) = a b: must be 1 to 64 letters, digits, '.', '_' or '-', or empty
          CARILLON_NODE_ROLES | timer | node.roles (CARILLON_NODE_ROLES) = timer: must be api or timer+dispatch
          CARILLON_NODE_ROLES | , | node.roles (CARILLON_NODE_ROLES) = []: must be api, timer+dispatch or both
          CARILLON_NODE_EVENT_LOOPS | 257 | node.eventLoops (CARILLON_NODE_EVENT_LOOPS) = 257: must be 0 to 256
          CARILLON_NODE_WARM_UP | 601s | node.warmUp (CARILLON_NODE_WARM_UP) = 601s: must be 0s to 10m
          CARILLON_NODE_LEASE | 601s | node.lease (CARILLON_NODE_LEASE) = 601s: must be 2s to 10m
          CARILLON_NODE_LEASE | 5999ms | node.lease (CARILLON_NODE_LEASE) = 5999ms: must be at least 3 times node.heartbeat (2s)
          CARILLON_NODE_STOP_GRACE | 2h | node.stopGrace (CARILLON_NODE_STOP_GRACE) = 2h: must be 0s to 1h
          CARILLON_PARTITIONS | 0 | partitions (CARILLON_PARTITIONS) = 0: must be 1 to 1024
          CARILLON_TIMER_LOOK | 1001ms | timer.look (CARILLON_TIMER_LOOK) = 1001ms: must be 10ms to 1s
          CARILLON_TIMER_LOOK | 9ms | timer.look (CARILLON_TIMER_LOOK) = 9ms: must be 10ms to 1s
          CARILLON_TIMER_BATCH | 257 | timer.batch (CARILLON_TIMER_BATCH) = 257: must be 1 to 256
          CARILLON_DISPATCH_MAX_IN_FLIGHT | 0 | dispatch.maxInFlight (CARILLON_DISPATCH_MAX_IN_FLIGHT) = 0: must be 1 to 100000
          CARILLON_DISPATCH_MAX_PER_DESTINATION | -1 | dispatch.maxPerDestination (CARILLON_DISPATCH_MAX_PER_DESTINATION) = -1: must be 1 to 100000
          CARILLON_DISPATCH_TIMEOUT | 61m | dispatch.timeout (CARILLON_DISPATCH_TIMEOUT) = 61m: must be 100ms to 1h
          CARILLON_DISPATCH_MAX_TIMEOUT | 59s | dispatch.maxTimeout (CARILLON_DISPATCH_MAX_TIMEOUT) = 59s: must be at least dispatch.timeout (1m)
          CARILLON_DISPATCH_MAX_RESPONSE | -1 | dispatch.maxResponse (CARILLON_DISPATCH_MAX_RESPONSE) = -1: must be 0 to 16777216
          CARILLON_DISPATCH_REGION | zürich | dispatch.region (CARILLON_DISPATCH_REGION) = zürich: must be 1 to 64 printable ASCII characters
          CARILLON_DISPATCH_MAX_CRASHES | 0 | dispatch.maxCrashes (CARILLON_DISPATCH_MAX_CRASHES) = 0: must be 1 to 1000
          CARILLON_RETRY_COUNT | 1001 | retry.count (CARILLON_RETRY_COUNT) = 1001: must be 0 to 1000
          CARILLON_RETRY_INTERVAL | 900ms | retry.interval (CARILLON_RETRY_INTERVAL) = 900ms: must be at least retry.minInterval (1s)
          CARILLON_RETRY_MAX_RETRY_AFTER | 31d | retry.maxRetryAfter (CARILLON_RETRY_MAX_RETRY_AFTER) = 31d: must be 0s to 30d
          CARILLON_RETRY_MIN_INTERVAL | 0s | retry.minInterval (CARILLON_RETRY_MIN_INTERVAL) = 0s: must be 1ms to 1d
          CARILLON_HISTORY_ENTRIES | 0 | history.entries (CARILLON_HISTORY_ENTRIES) = 0: must be 1 to 100000
          CARILLON_HISTORY_AGE | 1s | history.age (CARILLON_HISTORY_AGE) = 1s: must be 1m to 3660d
          CARILLON_HISTORY_BYTES | 1 | history.bytes (CARILLON_HISTORY_BYTES) = 1: must be 1024 to 67108864
          CARILLON_JOBS_KEEP_FINISHED | 3661d | jobs.keepFinished (CARILLON_JOBS_KEEP_FINISHED) = 3661d: must be 0s to 3660d
          CARILLON_COLLECTIONS_DEFAULT | a/b | collections.default (CARILLON_COLLECTIONS_DEFAULT) = a/b: must be 1 to 64 letters, digits, '.', '_' or '-', or empty
          CARILLON_LIMITS_JOB_BYTES | 1 | limits.jobBytes (CARILLON_LIMITS_JOB_BYTES) = 1: must be 1024 to 16777216
          CARILLON_LIMITS_URI | 1 | limits.uri (CARILLON_LIMITS_URI) = 1: must be 64 to 65536
          CARILLON_LIMITS_HEADERS | 1001 | limits.headers (CARILLON_LIMITS_HEADERS) = 1001: must be 0 to 1000
          CARILLON_LIMITS_HEADER_BYTES | -1 | limits.headerBytes (CARILLON_LIMITS_HEADER_BYTES) = -1: must be 0 to 1048576
          CARILLON_LIMITS_BODY | 65536 | limits.body (CARILLON_LIMITS_BODY) = 65536: must be less than limits.jobBytes (65536), which the body is a part of
          CARILLON_ARM_WRITES_PER_HOUR | 0 | arm.writesPerHour (CARILLON_ARM_WRITES_PER_HOUR) = 0: must be 1 to 1000000000
          CARILLON_ARM_READS_PER_HOUR | 0 | arm.readsPerHour (CARILLON_ARM_READS_PER_HOUR) = 0: must be 1 to 1000000000
          CARILLON_ARM_BURST_WRITES | 0 | arm.burstWrites (CARILLON_ARM_BURST_WRITES) = 0: must be 1 to 1000000000
          CARILLON_ARM_BURST_READS | 0 | arm.burstReads (CARILLON_ARM_BURST_READS) = 0: must be 1 to 1000000000
          CARILLON_LIMITS_HORIZON | 1h | limits.horizon (CARILLON_LIMITS_HORIZON) = 1h: must be 1d to 36600d
          CARILLON_LOG_LEVEL | loud | log.level (CARILLON_LOG_LEVEL) = loud: must be error or warn or info or debug or trace
          """)
  void aValueOutOfItsRangeIsRefused(String variable, String value, String problem) {
    SettingsException refused = refused(variable, value);

    assertEquals(List.of(problem), refused.problems());
  }

  @Test
  void severalAddressesOfAClusterAreOfOneKind() {
    SettingsException refused =
        refused("CARILLON_REDIS_MODE", "cluster", "CARILLON_REDIS_URI", "redis://a:1,rediss://b:2");

    assertEquals(1, refused.problems().size());
    assertTrue(refused.problems().get(0).contains("all redis:// or all rediss://"));
  }

  @Test
  void sentinelsNeedTheNameOfTheMaster() {
    SettingsException refused =
        refused("CARILLON_REDIS_MODE", "sentinel", "CARILLON_REDIS_URI", "redis://a:1");

    assertEquals(1, refused.problems().size());
    assertTrue(refused.problems().get(0).startsWith("redis.masterName"), refused.getMessage());
  }

  @Test
  void aPasswordOfItsOwnIsNotShown() {
    Settings settings =
        SettingsLoader.load(
            List.of(),
            Map.of("CARILLON_REDIS_URI", "redis://a:1", "CARILLON_REDIS_PASSWORD", "hush-hush"));

    assertEquals("hush-hush", settings.redis().password());
    assertFalse(settings.toString().contains("hush-hush"), settings.toString());
  }

  @Test
  void aRecordMadeByHandIsCheckedToo() {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> new TimerSettings(Duration.ZERO, 0));

    assertEquals(
        List.of("timer.look = 0s: must be 10ms to 1s", "timer.batch = 0: must be 1 to 256"),
        refused.problems());
  }

  @ParameterizedTest
  @CsvSource({
    "redis://user:can%20ary@host:6379/2, redis://host:6379/2",
    "rediss://:canary@host:6379?password=canary, rediss://host:6379",
    "redis://:ca@nary@under_score:6379, redis://under_score:6379",
    "unix:///run/redis.sock?password=canary, unix:///run/redis.sock"
  })
  void aPasswordIsNeverShown(String uri, String shown) {
    Settings settings = SettingsLoader.load(List.of(), Map.of("CARILLON_REDIS_URI", uri));

    assertEquals(List.of(URI.create(uri)), settings.redis().uri());
    assertFalse(settings.redis().isEmbedded());
    assertTrue(settings.toString().contains("uri=[" + shown + "]"), settings.toString());
    assertFalse(settings.toString().contains("ary"), settings.toString());
  }

  @ParameterizedTest
  @CsvSource({"redis:secret@host", "redis://:secret@ho st", "secret", "redis:///secret"})
  void aPasswordInAnUnusableAddressIsNotShownEither(String uri) {
    SettingsException refused = refused("CARILLON_REDIS_URI", uri);

    assertEquals(1, refused.problems().size());
    assertFalse(refused.getMessage().contains("secret"), refused.getMessage());
  }

  private static QueuesSettings queues() {
    return TestSettings.with(
        Settings.defaults().queues(),
        "storageAccounts=acct=http://127.0.0.1:10001/acct,Other=https://h",
        "serviceBus=contoso=amqp://h:5672,contoso=https://h:8443");
  }

  @Test
  void theAddressOfAStorageAccountIsFoundByNameInAnyCase() {
    assertEquals(
        Optional.of(URI.create("http://127.0.0.1:10001/acct")), queues().storageAccount("ACCT"));
    assertEquals(Optional.empty(), queues().storageAccount("acc"));
  }

  @Test
  void aServiceBusNamespaceHasAnAddressForEachTransport() {
    assertEquals(
        Optional.of(URI.create("amqp://h:5672")),
        queues().serviceBus("contoso", Set.of("amqp", "amqps")));
    assertEquals(
        Optional.of(URI.create("https://h:8443")),
        queues().serviceBus("contoso", Set.of("http", "https")));
  }
}
