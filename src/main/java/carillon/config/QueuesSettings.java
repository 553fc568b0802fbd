package carillon.config;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import carillon.uri.UriAuthority;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Section {@code queues}: queues that jobs fill. {@code storageAccounts} and {@code serviceBus}
 * have the addresses of accounts and namespaces outside Azure: {@code name=address}. Keys with the
 * prefix {@code redis} are about streams and lists in Carillon's own Redis: whether jobs may fill
 * any, and the maximum size of these.
 */
public record QueuesSettings(
    List<String> storageAccounts,
    List<String> serviceBus,
    int busConnections,
    Duration busIdle,
    boolean redis,
    int redisQueues,
    int redisLength,
    int redisBytes) {
  private static final Map<String, Integer> PORTS =
      Map.of("http", 80, "https", 443, "amqp", 5672, "amqps", 5671);

  public QueuesSettings {
    storageAccounts = List.copyOf(storageAccounts);
    serviceBus = List.copyOf(serviceBus);
    SettingRules rules = new SettingRules("queues");
    check(rules, "storageAccounts", storageAccounts, Set.of("http", "https"));
    check(rules, "serviceBus", serviceBus, Set.of("amqp", "amqps", "http", "https"));
    rules
        .between("busConnections", busConnections, 1, 1000)
        .between("busIdle", busIdle, ofSeconds(1), ofHours(1))
        .between("redisQueues", redisQueues, 1, 256)
        .between("redisLength", redisLength, 1, 10_000_000)
        .between("redisBytes", redisBytes, SettingRules.MB, 1024 * SettingRules.MB)
        .check();
  }

  /** Returns the default settings. */
  static QueuesSettings defaults() {
    return new QueuesSettings(
        List.of(), List.of(), 16, ofMinutes(5), true, 100, 100_000, 32 * SettingRules.MB);
  }

  /** Returns the address of a storage account, if it is set. */
  public Optional<URI> storageAccount(String name) {
    return find(storageAccounts, name, Set.of("http", "https"));
  }

  /** Returns the address of a Service Bus namespace, if it is set with one of these schemes. */
  public Optional<URI> serviceBus(String name, Set<String> schemes) {
    return find(serviceBus, name, schemes);
  }

  /**
   * Returns the configured places, {@code host:port}. Jobs may reach any place that the operator
   * names.
   */
  public List<String> places() {
    return Stream.concat(storageAccounts.stream(), serviceBus.stream())
        .map(QueuesSettings::authority)
        .toList();
  }

  /** Checks that each entry is a name and an absolute address with a host, without a password. */
  private static void check(
      SettingRules rules, String name, List<String> places, Set<String> schemes) {
    for (String place : places) {
      rules.require(
          isPlace(place, schemes),
          name,
          place.contains("@") ? "(hidden)" : place,
          "must be NAME=ADDRESS with an address of "
              + String.join(", ", schemes.stream().sorted().toList())
              + ", without a user");
    }
  }

  private static boolean isPlace(String place, Set<String> schemes) {
    int equals = place.indexOf('=');
    try {
      URI address = URI.create(place.substring(equals + 1));
      return equals > 0
          && address.getScheme() != null
          && schemes.contains(address.getScheme())
          && SettingRules.hasHostAlone(address);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** {@code host:port} of a place. */
  private static String authority(String place) {
    URI address = URI.create(place.substring(place.indexOf('=') + 1));
    UriAuthority authority = UriAuthority.of(address);
    int standard = PORTS.get(address.getScheme());
    int port = authority.port() == UriAuthority.NO_PORT ? standard : authority.port();
    String host = authority.host();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  /** Returns the first address of that name, in any case, with one of the schemes. */
  private static Optional<URI> find(List<String> places, String name, Set<String> schemes) {
    return places.stream()
        .filter(place -> place.substring(0, place.indexOf('=')).equalsIgnoreCase(name))
        .map(place -> URI.create(place.substring(place.indexOf('=') + 1)))
        .filter(address -> schemes.contains(address.getScheme()))
        .findFirst();
  }
}
