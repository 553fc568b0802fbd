package carillon.api.jobs;

import static carillon.support.Keys256.ring;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.HttpException;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.Authentication;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.Secret;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.secret.Vault;
import carillon.support.Await;
import carillon.support.TestCertificate;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of client certificates that take long to read, from several clients at the same time. */
@Tag("alone")
class SubmissionSealerTest {
  private static final JobName JOB = new CollectionName("s", "g", "c").job("j");
  private static final int SHARE = 8;

  @TempDir static Path dir;
  private static JobDefinition slow;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SubmissionSealer sealer = new SubmissionSealer(vertx, Vault.of(ring(1)));

  @BeforeAll
  static void makeCertificate() {
    TestCertificate made =
        TestCertificate.make(
            dir,
            "client",
            "canary",
            "2020/01/01 00:00:00",
            7300,
            "-Dkeystore.pkcs12.certPbeIterationCount=100000",
            "-Dkeystore.pkcs12.keyPbeIterationCount=100000",
            "-Dkeystore.pkcs12.macIterationCount=100000");
    HttpCall call =
        new HttpCall(true, "https://h/", "GET", Map.of(), Optional.empty())
            .with(
                new Authentication.ClientCertificate(
                    new Secret(made.base64()), new Secret("canary"), Optional.empty()));
    slow = new JobDefinition(new Action(call, RetryPolicy.NONE), Optional.empty());
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private Future<JobDefinition> seal(String client) {
    AuditContext context =
        new AuditContext(client, "127.0.0.1", "put", Instant.parse("2026-11-20T12:00:00Z"));
    return sealer.seal(JOB, slow, Optional.empty(), context);
  }

  /** Submits on behalf of these clients, all in one turn of the event loop. */
  private List<Future<JobDefinition>> submit(String... clients) {
    Promise<List<Future<JobDefinition>>> submitted = Promise.promise();
    loop.runOnContext(go -> submitted.complete(Stream.of(clients).map(this::seal).toList()));
    return Await.result(submitted.future());
  }

  private static String[] shareOf(String client, String... others) {
    return Stream.concat(Stream.generate(() -> client).limit(SHARE), Stream.of(others))
        .toArray(String[]::new);
  }

  @Test
  void aClientOfManyCertificatesDoesNotKeepAnotherWaiting() {
    Promise<Long> endedBefore = Promise.promise();
    loop.runOnContext(
        go -> {
          List<Future<JobDefinition>> many = Stream.of(shareOf("eve")).map(this::seal).toList();
          seal("bob")
              .map(done -> many.stream().filter(Future::isComplete).count())
              .onComplete(endedBefore);
        });

    assertTrue(Await.result(endedBefore.future()) <= SHARE / 2);
  }

  @Test
  void onlyTheClientWhoseShareWaitsIsToldToComeBack() {
    List<Future<JobDefinition>> all = submit(shareOf("eve", "eve", "bob"));
    List<Future<JobDefinition>> many = all.subList(0, SHARE);
    Future<JobDefinition> beyond = all.get(SHARE);
    Future<JobDefinition> other = all.get(SHARE + 1);

    HttpException refusal = assertThrows(HttpException.class, () -> Await.result(beyond));

    assertEquals("Too many certificates wait for their turn; try again.", refusal.getMessage());
    Await.result(other);
    Await.result(Future.all(many));
    submit("eve").forEach(Await::result);
  }
}
