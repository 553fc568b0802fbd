package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.action.Authentication.ApiKeyCredential;
import carillon.job.action.Authentication.Basic;
import carillon.job.action.Authentication.Bearer;
import carillon.job.action.Authentication.Certificate;
import carillon.job.action.Authentication.ClientCertificate;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.support.TestCertificate;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemTrustOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of authenticated calls to real servers that check the credentials. */
class AuthenticatedCallsTest extends TlsTargetFixture {
  private void note(HttpServerRequest request) {
    seen.add(String.valueOf(request.getHeader("Authorization")));
    request.response().end("you sent " + request.getHeader("Authorization"));
  }

  @Test
  void basicSendsUserAndPasswordAndTheHistoryHidesAnEcho() {
    String uri = serve(this::note);

    AttemptResult result = caller.make(Caller.call(uri, new Basic("ü", new Secret("canary:é"))));

    assertTrue(result.succeeded(), result.message());
    assertEquals(List.of("Basic w7w6Y2FuYXJ5OsOp"), seen);
    assertTrue(result.message().endsWith("Body: you sent Basic ***"), result.message());
  }

  @Test
  void aSecretThatATargetRepeatsIsHiddenAlsoWhereTheTextIsCut() {
    String uri =
        serve(r -> r.response().putHeader("X-You", "canary-1").end("x".repeat(1020) + "canary-1"));

    AttemptResult result = caller.make(Caller.call(uri, new Basic("u", new Secret("canary-1"))));

    assertFalse(result.message().contains("can"), result.message());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void anEncodedEchoOfBasicIsHidden() {
    String uri =
        serve(
            r -> {
              String sent = r.getHeader("Authorization");
              String bare = sent.replace("=", "").substring("Basic ".length());
              r.response()
                  .setStatusCode(302)
                  .putHeader("Location", "https://h/?x=" + encoded(sent))
                  .end(encoded("Authorization: " + sent) + " " + bare + " " + encoded("can&ry:ä"));
            });

    AttemptResult result = caller.make(Caller.call(uri, new Basic("u", new Secret("can&ry:ä"))));

    assertTrue(result.message().contains(": https://h/?x=Basic+***\r\n"), result.message());
    assertTrue(
        result.message().endsWith("Body: Authorization%3A+Basic+*** *** ***"), result.message());
  }

  @Test
  void anEncodedEchoOfHeadersAndQueryIsHidden() {
    String uri =
        serve(
            r ->
                r.response()
                    .end(
                        encoded(r.getHeader("Cookie"))
                            + " "
                            + Base64.getEncoder()
                                .encodeToString(
                                    r.getHeader("Cookie").getBytes(StandardCharsets.UTF_8))
                            + " canary2; "
                            + encoded(r.uri())
                            + " p:w0rd"));
    HttpCall call =
        new HttpCall(
            false,
            uri + "?sig=can%2Bary",
            "GET",
            Map.of("Cookie", "sid=canary-1; t=canary2", "Authorization", "Basic dTpwOncwcmQ="),
            Optional.empty());

    AttemptResult result = caller.make(call);

    assertTrue(
        result.message().endsWith("Body: *** *** ***; %2F%3Fsig%3D*** ***"), result.message());
  }

  @Test
  void headersWhoseNamesTellAreHiddenInAnEcho() {
    String uri =
        serve(
            r ->
                r.response()
                    .end(
                        r.getHeader("Authorization")
                            + r.getHeader("X-Api-Key")
                            + r.getHeader("A")));
    HttpCall call =
        new HttpCall(
            false,
            uri,
            "GET",
            Map.of("Authorization", "Bearer canary-1", "X-Api-Key", "canary-2", "A", "shown"),
            Optional.empty());

    AttemptResult result = caller.make(call);

    assertTrue(result.message().endsWith("Body: ******shown"), result.message());
  }

  @Test
  void aBearerTokenIsSentAndAnEchoHidden() {
    AttemptResult result =
        caller.make(Caller.call(serve(this::note), new Bearer(new Secret("canary-1"))));

    assertEquals(List.of("Bearer canary-1"), seen);
    assertTrue(result.message().endsWith("Body: you sent Bearer ***"), result.message());
  }

  @Test
  void anApiKeyIsSentInItsHeader() {
    String uri = serve(r -> r.response().end("you sent " + r.getHeader("X-Api-Key")));

    AttemptResult result =
        caller.make(
            Caller.call(
                uri,
                new ApiKeyCredential(
                    "x-api-key", new Secret("canary 1"), ApiKeyCredential.In.HEADER)));

    assertTrue(result.succeeded(), result.message());
    assertTrue(result.message().endsWith("Body: you sent ***"), result.message());
  }

  @Test
  void anApiKeyIsSentInTheQuery() {
    String uri =
        serve(
            r -> {
              seen.add(r.uri() + " " + r.getParam("api key"));
              r.response().end(r.uri() + r.getParam("api key"));
            });
    ApiKeyCredential key =
        new ApiKeyCredential("api key", new Secret("canary&=é"), ApiKeyCredential.In.QUERY);

    AttemptResult plain = caller.make(Caller.call(uri, key));
    caller.make(Caller.call(uri + "?a=b#c", key));

    assertEquals(
        List.of(
            "/?api%20key=canary%26%3D%C3%A9 canary&=é",
            "/?a=b&api%20key=canary%26%3D%C3%A9 canary&=é"),
        seen);
    assertTrue(plain.message().endsWith("Body: /?api%20key=******"), plain.message());
  }

  private static ClientCertificate certificate(TestCertificate from) {
    return new ClientCertificate(
        new Secret(from.base64()), new Secret(from.password()), Optional.empty());
  }

  private String serveMutual() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(
                new PemTrustOptions()
                    .addCertPath(alice.pem().toString())
                    .addCertPath(bob.pem().toString()));
    return serve(
        options,
        request -> {
          seen.add(peer(request));
          request.response().end();
        });
  }

  private static String peer(HttpServerRequest request) {
    try {
      X509Certificate shown =
          (X509Certificate) request.connection().sslSession().getPeerCertificates()[0];
      return request.version() + " " + shown.getSubjectX500Principal().getName();
    } catch (javax.net.ssl.SSLPeerUnverifiedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void eachCallShowsItsOwnCertificate() {
    String uri = serveMutual();

    for (int i = 0; i < 2; i++) {
      for (TestCertificate each : List.of(alice, bob)) {
        AttemptResult result = caller.make(Caller.call(uri, certificate(each)));
        assertTrue(result.succeeded(), result.message());
      }
    }
    AttemptResult anonymous = caller.make(Caller.call(uri, null));

    assertEquals(
        List.of("HTTP_2 CN=alice", "HTTP_2 CN=bob", "HTTP_2 CN=alice", "HTTP_2 CN=bob"), seen);
    assertFalse(anonymous.succeeded());
  }

  @Test
  void aCertificateThatExpiredSinceIsToldSo() {
    Certificate facts = new Certificate("00", START, "CN=alice");
    ClientCertificate expired =
        new ClientCertificate(
            new Secret(alice.base64()), new Secret(alice.password()), Optional.of(facts));

    AttemptResult result = caller.make(Caller.call(serveMutual(), expired));

    assertTrue(
        result.message().endsWith("failed: the client certificate expired at 2026-11-20T12:00:00Z"),
        result.message());
  }

  @Test
  void aCertificateThatCannotBeReadIsAFailedAttempt() {
    ClientCertificate broken =
        new ClientCertificate(
            new Secret(alice.base64()), new Secret("canary-wrong"), Optional.empty());

    AttemptResult result = caller.make(Caller.call(serveMutual(), broken));

    assertTrue(
        result.message().endsWith("failed: the client certificate cannot be read"),
        result.message());
  }
}
