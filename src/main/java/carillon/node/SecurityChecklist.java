package carillon.node;

import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import carillon.api.edge.AllowedHosts;
import carillon.config.RedisSettings;
import carillon.config.Settings;
import carillon.config.Settings.EgressSettings;
import carillon.uri.UriAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Check for unsafe settings and unsafe permissions of their files: one line for each finding, with
 * a remedy. Asks neither Redis nor a name server. Blocks while it reads files.
 */
public final class SecurityChecklist {
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Settings settings;
  private final List<String> findings = new ArrayList<>();

  private SecurityChecklist(Settings settings) {
    this.settings = settings;
  }

  /** Returns the findings; empty when nothing is unsafe. No line holds a secret. */
  public static List<String> findings(Settings settings) {
    SecurityChecklist check = new SecurityChecklist(settings);
    check.api();
    check.redis();
    check.egress();
    check.queues();
    check.files();
    check.headers();
    return List.copyOf(check.findings);
  }

  private void api() {
    String host = settings.http().host();
    if (isLocal(host)) {
      names();
      return;
    }
    if (!settings.access().isRequired()) {
      findings.add(
          "everybody who can reach http.host " + host + " may do everything; set access.accept");
    }
    if (settings.access().isRequired() && settings.access().openMonitoring()) {
      findings.add(
          "access.openMonitoring lets everybody who can reach http.host "
              + host
              + " read /metrics, which names targets; set it to false and give the monitor a key");
    }
    if (!settings.http().tls().isEnabled()) {
      findings.add(
          "http.host "
              + host
              + " is served without TLS, so that keys and secrets can be read on the way; set"
              + " http.tls.certificate, or put a proxy with TLS in front and allow access only through"
              + " it");
    }
  }

  private void names() {
    if (settings.access().unprotected()) {
      findings.add(
          "access.unprotected also admits any page that a browser on this machine shows (DNS"
              + " rebinding); set it to false, and http.names to the names that a proxy passes on");
    }
  }

  private void redis() {
    RedisSettings redis = settings.redis();
    for (URI uri : redis.uri()) {
      boolean isElsewhere = uri.getHost() != null && !isLocal(uri.getHost());
      if (isElsewhere && "redis".equals(uri.getScheme())) {
        findings.add(
            "redis.uri leads to " + uri.getHost() + " without TLS; use rediss:// with redis.tls");
      }
      if (isElsewhere && !hasPassword(uri)) {
        findings.add(
            "redis.uri leads to "
                + uri.getHost()
                + " without a password; give the server one and set redis.user and"
                + " redis.passwordFile");
      } else if (isElsewhere && !hasUser(uri)) {
        findings.add(
            "redis.uri leads to "
                + uri.getHost()
                + " as the user named default, who may do everything there; make one with the rights"
                + " of conf/redis-users.acl and set redis.user");
      }
    }
    boolean isEncrypted = redis.uri().stream().anyMatch(uri -> "rediss".equals(uri.getScheme()));
    if (isEncrypted && !redis.tls().verifyHost()) {
      findings.add(
          "redis.tls.verifyHost is false, so that any server with a trusted certificate passes for"
              + " Redis; set it to true where certificates name their hosts");
    }
  }

  private boolean hasPassword(URI uri) {
    RedisSettings redis = settings.redis();
    return uri.getUserInfo() != null
        || !redis.password().isEmpty()
        || !redis.passwordFile().isEmpty();
  }

  private boolean hasUser(URI uri) {
    String given = uri.getUserInfo() == null ? "" : uri.getUserInfo();
    return !settings.redis().user().isEmpty() || given.indexOf(':') > 0;
  }

  private void egress() {
    for (String entry : settings.egress().allow()) {
      if (entry.endsWith("/0")) {
        findings.add(
            "egress.allow has "
                + entry
                + ", so that jobs may call every private address; name the ranges that they need");
      }
    }
    if (settings.egress().loopback() == EgressSettings.Loopback.ALLOW
        && !isLocal(settings.http().host())) {
      findings.add(
          "egress.loopback is allow while others can reach the API, so that they may call what"
              + " listens on this machine alone; name the places in egress.allow instead");
    } else if (settings.egress().loopback() == EgressSettings.Loopback.ALLOW
        && (settings.access().isRequired() || !settings.http().names().isEmpty())) {
      findings.add(
          "egress.loopback is allow while access.accept or http.names say that others are served"
              + " through a proxy, so that writers of jobs can reach what listens on this machine"
              + " alone; name the places in egress.allow instead");
    }
  }

  /**
   * Checks Service Bus connections. SASL PLAIN shows the password to any listener on the network.
   */
  private void queues() {
    for (String entry : settings.queues().serviceBus()) {
      URI place = URI.create(entry.substring(entry.indexOf('=') + 1));
      String host = UriAuthority.of(place).host();
      if ("amqp".equals(place.getScheme()) && !isLocal(host)) {
        findings.add(
            "queues.serviceBus leads to "
                + host
                + " without TLS, so that its passwords can be read on the way; use amqps://");
      }
    }
  }

  /** Requires the check of headers: without it one of a job could smuggle in another. */
  private void headers() {
    if (Boolean.getBoolean("vertx.disableHttpHeadersValidation")) {
      findings.add(
          "the JVM runs with -Dvertx.disableHttpHeadersValidation=true; leave that option out");
    }
  }

  private void files() {
    Path data = settings.data().dir();
    check("http.tls.key", settings.http().tls().key());
    check("access.adminKeyFile", settings.access().adminKeyFile());
    check("console.signIn.clientSecretFile", settings.console().signIn().clientSecretFile());
    check("secrets.keyFile", settings.secrets().keyFile());
    check("redis.passwordFile", settings.redis().passwordFile());
    check("redis.tls.key", settings.redis().tls().key());
    if (settings.redis().isEmbedded()) {
      checkDirectory(data);
      check("data.dir", data.resolve("secrets.key").toString());
      check("data.dir", data.resolve("admin.key").toString());
    }
  }

  /** Checks the data directory, which holds all data of jobs. */
  private void checkDirectory(Path data) {
    if (permitsAnyOf(
        data, EnumSet.complementOf(EnumSet.of(OWNER_READ, OWNER_WRITE, OWNER_EXECUTE)))) {
      findings.add(
          data
              + " (data.dir) can be read or changed by others, and so can what Redis keeps in it; run"
              + " chmod 700 "
              + data);
    }
  }

  private void check(String setting, String name) {
    Path file = Path.of(name);
    if (!name.isEmpty() && permitsAnyOf(file, OF_OTHERS)) {
      findings.add(
          file + " (" + setting + ") can be read or changed by others; run chmod 600 " + file);
    }
  }

  private static boolean permitsAnyOf(Path file, Set<PosixFilePermission> toOthers) {
    try {
      return Files.exists(file)
          && Files.getPosixFilePermissions(file).stream().anyMatch(toOthers::contains);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // not to be had on this system; nothing can be said
    }
  }

  private static boolean isLocal(String host) {
    return AllowedHosts.isLoopback(host);
  }
}
