package carillon.node;

import carillon.access.ApiKey;
import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.api.http.AllowedHosts;
import carillon.config.AccessSettings.Proof;
import carillon.config.HttpSettings;
import carillon.config.Settings;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who may use the API, as the settings have it. */
final class AccessSetup {
  private AccessSetup() {}

  /**
   * Refuses to be open to everybody who can reach the machine, unless that is what the operator
   * said.
   *
   * @param listening the addresses of {@code http.host}
   */
  static void check(Settings settings, List<InetAddress> listening) {
    boolean isLocal = listening.stream().allMatch(InetAddress::isLoopbackAddress);
    if (!isLocal && !settings.access().isRequired() && !settings.access().unprotected()) {
      throw new IllegalStateException(
          "http.host "
              + settings.http().host()
              + " can be reached from elsewhere, and nobody would have to say who he is; set"
              + " access.accept (CARILLON_ACCESS_ACCEPT=keys), or access.unprotected = true to let"
              + " everybody do everything");
    }
  }

  /**
   * Under which names the API may be asked: where nobody has to prove who he is, {@link #check} has
   * seen to it that this is a loopback address, unless the operator said that it is open to all.
   */
  static AllowedHosts names(Settings settings) {
    HttpSettings http = settings.http();
    return settings.access().isRequired() || settings.access().unprotected()
        ? AllowedHosts.any()
        : AllowedHosts.loopbackAnd(
            Stream.concat(http.names().stream(), Stream.of(http.host())).toList());
  }

  /** Whether the only way in is a key that has been made over the API. */
  static boolean needsKey(Settings settings, AdminKey operator) {
    return settings.access().accept().equals(List.of(Proof.KEYS)) && operator.keys().isEmpty();
  }

  /** Fails unless one of the keys can make others. */
  static Void requireAdmin(Collection<ApiKey> keys, Instant now) {
    if (keys.stream()
        .filter(key -> !key.isExpired(now))
        .map(ApiKey::identity)
        .noneMatch(AccessSetup::isAdmin)) {
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

  /** For the start line. */
  static String describe(Settings settings, AdminKey operator) {
    if (!settings.access().isRequired()) {
      return "open to everybody who can reach it";
    }
    String proofs =
        settings.access().accept().stream()
            .map(proof -> proof.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return operator.keys().isEmpty()
        ? proofs
        : proofs + ", key of the operator in " + operator.origin();
  }
}
