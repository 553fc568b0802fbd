package carillon.node;

import carillon.access.ApiKey;
import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.api.edge.ServerTls;
import carillon.config.AccessSettings.Proof;
import carillon.config.RedisSettings.Durability;
import carillon.config.Settings;
import carillon.store.Stores;
import carillon.store.node.StoreFormat;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Validation of the settings and of Redis before anything is started. A fault that prevents work
 * fails the start, with one clear line for an operator. A new Redis gets its format and first
 * collection.
 */
final class StartupValidation {
  private final NodeContext node;
  private final Settings settings;

  StartupValidation(NodeContext node) {
    this.node = node;
    this.settings = node.settings();
  }

  /**
   * Result of a successful validation.
   *
   * @param egress allowed targets of jobs
   * @param redis facts that it returned
   * @param durability that is enforced, or the found one if none is
   * @param unsafe one line each for an operator
   */
  record StartupFacts(
      EgressSetup egress, StoreFormat.ServerFacts redis, String durability, List<String> unsafe) {}

  /**
   * Checks before Redis is started that the address of the API is free and permitted. Blocks.
   *
   * @throws IOException if the port cannot be listened on
   * @throws IllegalStateException if everybody could use the API
   */
  static void checkListening(Settings settings) throws IOException {
    requireProtection(settings, EgressSetup.addresses(settings.http().host()));
    InetSocketAddress address =
        new InetSocketAddress(settings.http().host(), settings.http().port());
    if (!address.isUnresolved()) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(address);
      }
    }
  }

  Future<StartupFacts> run() {
    return node.vertx()
        .executeBlocking(
            () -> {
              ServerTls.of(settings.http().tls()).ifPresent(files -> files.check(node.vertx()));
              return EgressSetup.resolve(settings, node.own());
            })
        .compose(
            egress -> {
              requireProtection(settings, egress.listening());
              return node.storeFactory()
                  .openForClients(node.vertx())
                  .compose(stores -> establish(egress, stores));
            });
  }

  /**
   * Refuses to serve everybody who can reach the machine, unless the operator has allowed it.
   *
   * @param listening the addresses of {@code http.host}
   */
  private static void requireProtection(Settings settings, List<InetAddress> listening) {
    boolean isLocal = listening.stream().allMatch(InetAddress::isLoopbackAddress);
    if (!isLocal && !settings.access().isRequired() && !settings.access().unprotected()) {
      throw new IllegalStateException(
          "http.host "
              + settings.http().host()
              + " can be reached from elsewhere, and no authentication is configured; set"
              + " access.accept (CARILLON_ACCESS_ACCEPT=keys), or access.unprotected = true to let"
              + " everybody do everything");
    }
  }

  private Future<StartupFacts> establish(EgressSetup egress, Stores stores) {
    return stores
        .node()
        .nodes()
        .syncClock()
        .compose(told -> settleClock(stores))
        .compose(settled -> stores.node().storeFormat().describe())
        .map(this::requireReplicas)
        .compose(
            server ->
                stores
                    .node()
                    .storeFormat()
                    .establish(node.clock().instant())
                    .compose(same -> unsafe(stores))
                    .map(unsafe -> new StartupFacts(egress, server, durability(server), unsafe)))
        .compose(
            found ->
                firstCollection(stores).compose(made -> requireAdminKey(stores)).map(done -> found))
        .eventually(() -> stores.close());
  }

  /**
   * Checks the kind of the clock: data of a virtual clock is not for a real one, and vice versa. A
   * virtual clock continues at its last instant.
   */
  private Future<Void> settleClock(Stores stores) {
    return node.virtualClock()
        .map(
            virtual ->
                stores
                    .node()
                    .clockMark()
                    .beginVirtual(virtual.instant())
                    .onSuccess(virtual::advanceTo)
                    .<Void>mapEmpty())
        .orElseGet(() -> stores.node().clockMark().requireReal());
  }

  /** Checks that replicas are connected now. The settings are checked at every connection. */
  private StoreFormat.ServerFacts requireReplicas(StoreFormat.ServerFacts server) {
    if (settings.redis().durability() == Durability.REPLICA && server.replicas() == 0) {
      throw new IllegalStateException(
          "Redis cannot give redis.durability = replica: a master has no replica that follows it");
    }
    return server;
  }

  private String durability(StoreFormat.ServerFacts server) {
    Durability level = settings.redis().durability();
    return level == Durability.ANY ? server.durability() : level.name().toLowerCase(Locale.ROOT);
  }

  private Future<List<String>> unsafe(Stores stores) {
    return node.vertx()
        .executeBlocking(() -> SecurityChecklist.findings(settings))
        .compose(
            ofSettings ->
                stores
                    .securityFindings()
                    .map(ofRedis -> Stream.concat(ofSettings.stream(), ofRedis.stream()).toList()));
  }

  private Future<Void> firstCollection(Stores stores) {
    String first = settings.collections().first();
    return first.isEmpty()
        ? Future.succeededFuture()
        : stores.collection().collections().putFirst(first, node.clock().instant());
  }

  /** Requires an admin key: without one nobody could ever make the first key. */
  private Future<Void> requireAdminKey(Stores stores) {
    return !needsKey()
        ? Future.succeededFuture()
        : stores
            .operation()
            .apiKeys()
            .byId()
            .map(found -> requireAdmin(found.values(), node.clock().instant()));
  }

  /** Whether the only way in is a key that has been made over the API. */
  private boolean needsKey() {
    return settings.access().accept().equals(List.of(Proof.KEYS))
        && node.keys().operator().isEmpty();
  }

  /** Fails unless one of the keys can make others. */
  private static Void requireAdmin(Collection<ApiKey> keys, Instant now) {
    if (keys.stream()
        .filter(key -> !key.isExpired(now))
        .map(ApiKey::identity)
        .noneMatch(StartupValidation::isAdmin)) {
      throw new IllegalStateException(
          "access.accept is keys and there is no key yet: set access.adminKeyFile"
              + " (CARILLON_ACCESS_ADMIN_KEY_FILE) to a file with one, for example"
              + " ck_admin_$(openssl rand -hex 32)");
    }
    return null;
  }

  private static boolean isAdmin(Caller caller) {
    return caller.may(Role.ADMIN, Scope.EVERYTHING);
  }
}
