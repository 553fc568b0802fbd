package carillon.node;

import carillon.api.ApiVerticle;
import carillon.api.http.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the API show a renewed certificate without a restart: looks every ten seconds whether the
 * files have changed, and takes them when they belong together. Whoever renews writes one file
 * after the other, so that a pair that does not fit is not taken, said once, and looked at again.
 * Open connections keep what they have. Methods are called on the event loop that made it.
 */
final class TlsCertificateReloader {
  private static final Logger LOG = LoggerFactory.getLogger(TlsCertificateReloader.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final ServerTls tls;
  private final ApiVerticle server;
  private List<FileTime> seen;

  private TlsCertificateReloader(
      Vertx vertx, ServerTls tls, ApiVerticle server, List<FileTime> seen) {
    this.vertx = vertx;
    this.tls = tls;
    this.server = server;
    this.seen = seen;
  }

  /** Begins to look. */
  static Future<Void> over(Vertx vertx, ServerTls tls, ApiVerticle server) {
    return vertx
        .executeBlocking(() -> stamps(tls))
        .map(
            stamps -> {
              TlsCertificateReloader watch = new TlsCertificateReloader(vertx, tls, server, stamps);
              vertx.setPeriodic(PERIOD.toMillis(), id -> watch.look());
              return null;
            });
  }

  private static List<FileTime> stamps(ServerTls tls) throws IOException {
    List<FileTime> stamps = new ArrayList<>();
    for (Path file : tls.files()) {
      stamps.add(Files.getLastModifiedTime(file));
    }
    return stamps;
  }

  /** Takes what has changed; does not fail. */
  Future<Void> look() {
    return vertx
        .executeBlocking(() -> stamps(tls))
        .compose(stamps -> stamps.equals(seen) ? Future.succeededFuture() : renew(stamps))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("error", failure.getMessage())
                    .log("certificate has changed and cannot be used; the one before stays"))
        .otherwiseEmpty();
  }

  private Future<Void> renew(List<FileTime> stamps) {
    seen = stamps;
    return vertx
        .executeBlocking(
            () -> {
              tls.check(vertx);
              return null;
            })
        .compose(fits -> server.renew(tls))
        .onSuccess(
            done ->
                LOG.atInfo()
                    .addKeyValue("certificate", tls.certificate())
                    .log("certificate has changed and is used from now on"));
  }
}
