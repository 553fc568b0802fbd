package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.config.Settings;
import carillon.config.Settings.OAuthSettings;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.call.WebhookSigner;
import carillon.dispatch.http.Authenticator;
import carillon.dispatch.http.Caller;
import carillon.dispatch.http.HttpInvoker;
import carillon.dispatch.http.OAuthTokenCache;
import carillon.dispatch.http.OAuthTokenClient;
import carillon.dispatch.http.PlainHttp;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.job.action.StorageQueueCall;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.job.collection.JobCollection;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Keys256;
import carillon.support.TestClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Test of a collection that signs: calls are signed, messages for queues are not. */
class SignedKindsTest {
  private static final CollectionDefinition SIGNING =
      CollectionDefinition.PLAIN.with(
          new WebhookSigning(List.of(new Secret("whsec_" + Keys256.key(11)))));

  private final Vertx vertx = Vertx.vertx();
  private final CallbackServer target = new CallbackServer();

  @AfterEach
  void stop() {
    Await.result(vertx.close());
    target.close();
  }

  /** Whether the received call had a signature. */
  private boolean isSigned(Function<HttpInvoker, Future<AttemptResult>> sending) {
    target.forget();
    Await.result(
        vertx.executeBlocking(() -> null).compose(go -> sending.apply(signing())).map(done -> ""));
    return target.calls().get(0).headers().containsKey("webhook-signature");
  }

  private HttpInvoker signing() {
    InstantSource clock = InstantSource.system();
    DispatchSettings dispatch = Settings.defaults().dispatch();
    OAuthSettings oauth = Settings.defaults().oauth();
    WebhookSigner signer =
        new WebhookSigner(
            name ->
                Future.succeededFuture(
                    Optional.of(
                        new JobCollection(
                            name,
                            Keys256.VAULT.seal(name, SIGNING),
                            1,
                            Instant.EPOCH,
                            Instant.EPOCH))),
            Keys256.VAULT,
            clock);
    return new HttpInvoker(
        vertx,
        clock,
        dispatch,
        new ExecutionHeaders("Carillon/test", "local", false, false),
        new Authenticator(
            clock,
            dispatch,
            oauth,
            new OAuthTokenCache(
                new OAuthTokenClient(vertx, dispatch, PlainHttp.loopback(vertx)), clock)),
        signer,
        PlainHttp.loopback(vertx),
        DispatchObserver.NONE);
  }

  private QueuesSettings queues() {
    List<String> here = List.of("contoso=" + target.url(""));
    return new QueuesSettings(here, here, 1, Duration.ofHours(1), true, 1, 1, 1 << 20);
  }

  @Test
  void callsAreSignedAndMessagesForQueuesAreNot() {
    HttpCall call =
        new HttpCall(false, target.url("/x"), "POST", Map.of(), Optional.of("x"), Optional.empty());
    StorageQueueCall stored = new StorageQueueCall("contoso", "q", "x", new Secret("sig=x"));

    assertEquals(
        List.of(true, false, false),
        List.of(
            isSigned(http -> http.invoke(BusRig.RUN, "C/J", call, Caller.DEFAULT, Caller.ANY_TIME)),
            isSigned(
                http ->
                    new StorageQueueInvoker(http, queues(), "local")
                        .invoke(BusRig.RUN, "C/J", stored, Caller.DEFAULT, Caller.ANY_TIME)),
            isSigned(
                http ->
                    new ServiceBusInvoker(http, null, queues(), InstantSource.system())
                        .invoke(
                            BusRig.RUN,
                            "C/J",
                            BusRig.overHttp(
                                BusRig.call(
                                    Entity.QUEUE,
                                    "q",
                                    "key",
                                    "x",
                                    BrokeredProperties.NONE,
                                    Map.of())),
                            Caller.DEFAULT,
                            Caller.ANY_TIME))));
  }

  @Test
  void aCallIsNotBegunWhileRedisDoesNotSayWithWhatItIsSigned() {
    JobException away = new JobException(ErrorCode.STORE_UNAVAILABLE, "away");
    WebhookSigner signer =
        new WebhookSigner(name -> Future.failedFuture(away), Keys256.VAULT, InstantSource.system());

    assertThrows(
        NotBegunException.class, () -> Await.result(signer.signatures(BusRig.RUN).map(any -> "")));
  }

  @Test
  void aSecretIsAskedForAgainAfterTheClockWasSetBack() {
    TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));
    AtomicInteger asked = new AtomicInteger();
    WebhookSigner signer =
        new WebhookSigner(
            name -> {
              asked.incrementAndGet();
              return Future.succeededFuture(Optional.empty());
            },
            Keys256.VAULT,
            clock);
    Await.result(signer.signatures(BusRig.RUN));
    Await.result(signer.signatures(BusRig.RUN));
    assertEquals(1, asked.get());

    clock.step(Duration.ofHours(-1));
    Await.result(signer.signatures(BusRig.RUN));

    assertEquals(2, asked.get());
  }
}
