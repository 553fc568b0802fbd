package carillon.node;

import carillon.api.ApiVerticle;
import carillon.api.edge.ServerTls;
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
 * Reloader of the certificate of the API. It checks every ten seconds whether the files have
 * changed, and takes them without a restart when they belong together. A renewal writes one file
 * after the other: a pair that does not fit is logged once, not taken, and checked again. Open
 * connections keep their certificate. Methods are called on the event loop that made it.
 */
final class TlsCertificateReloader {
  private static final Logger LOG = LoggerFactory.getLogger(TlsCertificateReloader.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final ServerTls tls;
  private final ApiVerticle server;
  private List<FileTime> loaded;

  private TlsCertificateReloader(
      Vertx vertx, ServerTls tls, ApiVerticle server, List<FileTime> loaded) {
    this.vertx = vertx;
    this.tls = tls;
    this.server = server;
    this.loaded = loaded;
  }

  /** Begins to watch the files. */
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

  /** Loads changed files. Never fails. */
  Future<Void> look() {
    return vertx
        .executeBlocking(() -> stamps(tls))
        .compose(stamps -> stamps.equals(loaded) ? Future.succeededFuture() : renew(stamps))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("error", failure.getMessage())
                    .log("the new certificate cannot be used; the API keeps the previous one"))
        .otherwiseEmpty();
  }

  private Future<Void> renew(List<FileTime> stamps) {
    loaded = stamps;
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
                    .log("the API uses the new certificate"));
  }
}
