package carillon.secret;

import static carillon.support.Keys256.ring;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.Authentication;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.Secret;
import carillon.job.attempt.Attempt;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VaultTest {
  private static final JobName JOB = new CollectionName("s", "g", "c").job("J");
  private final Vault vault = Vault.of(ring(1));

  private static HttpCall call(Authentication authentication) {
    HttpCall plain = new HttpCall(true, "https://h/", "GET", Map.of(), Optional.empty());
    return plain.with(authentication);
  }

  private static Action basic(String password) {
    return new Action(
        call(new Authentication.Basic("u", new Secret(password))), RetryPolicy.UNSPECIFIED);
  }

  private static JobDefinition job(Action main, Action error) {
    return new JobDefinition(main, Optional.ofNullable(error));
  }

  private static String password(ActionCall call) {
    Authentication authentication = ((HttpCall) call).authentication().orElseThrow();
    return ((Authentication.Basic) authentication).password().text();
  }

  @Test
  void secretsOfBothActionsAreSealedAndOpened() {
    JobDefinition sealed = vault.seal(JOB, job(basic("main"), basic("error")));

    ActionCall main = sealed.action().call();
    ActionCall error = sealed.errorAction().orElseThrow().call();
    assertTrue(password(main).startsWith("sealed:v1:"));
    assertTrue(password(error).startsWith("sealed:v1:"));
    assertEquals("main", password(vault.unseal("s/g/c/j", Attempt.Phase.MAIN, main)));
    assertEquals("error", password(vault.unseal("s/g/c/j", Attempt.Phase.ERROR, error)));
  }

  @Test
  void everySecretOfEveryKindIsSealed() {
    Action certificate =
        new Action(
            call(
                new Authentication.ClientCertificate(
                    new Secret("pfx"), new Secret(""), Optional.empty())),
            RetryPolicy.NONE);
    Action oauth =
        new Action(
            call(new Authentication.ActiveDirectoryOAuth("t", "a", "c", new Secret("secret"))),
            RetryPolicy.NONE);

    vault
        .seal(JOB, job(certificate, oauth))
        .mapSecrets(
            (field, secret) -> {
              assertTrue(secret.text().startsWith("sealed:v1:"), field);
              return secret;
            });
  }

  @Test
  void aJobWithoutSecretsIsLeftAlone() {
    ActionCall plain = new HttpCall(false, "http://h/", "GET", Map.of(), Optional.empty());
    JobDefinition job = job(new Action(plain, RetryPolicy.NONE), null);

    assertSame(job, vault.seal(JOB, job));
    assertSame(job, Vault.locked().seal(JOB, job));
    assertSame(plain, Vault.locked().unseal("s/g/c/j", Attempt.Phase.MAIN, plain));
  }

  @Test
  void aHeaderIsSealedByItsNameAndOpenedAlsoWhereItWasLeftInClear() {
    Map<String, String> headers = Map.of("X-Api-Key", "canary", "Accept", "b", "Cookie", "");
    HttpCall call = new HttpCall(false, "http://h/", "GET", headers, Optional.empty());

    HttpCall sealed =
        (HttpCall) vault.seal(JOB, job(new Action(call, RetryPolicy.NONE), null)).action().call();

    assertTrue(sealed.headers().get("X-Api-Key").startsWith("sealed:v1:"));
    assertEquals("b", sealed.headers().get("Accept"));
    assertEquals(call, vault.unseal("s/g/c/j", Attempt.Phase.MAIN, sealed));
    assertSame(call, Vault.locked().unseal("s/g/c/j", Attempt.Phase.MAIN, call));
  }

  @Test
  void aParameterOfTheQueryIsSealedByItsNameAndOpened() {
    String uri = "http://h/?a=b&code=x%2B&code=y#f";
    HttpCall call = new HttpCall(false, uri, "GET", Map.of(), Optional.empty());

    HttpCall sealed =
        (HttpCall) vault.seal(JOB, job(new Action(call, RetryPolicy.NONE), null)).action().call();

    String form = "sealed:v1:[0-9a-f]{8}:[A-Za-z0-9_-]+";
    assertTrue(
        sealed.uri().matches("http://h/\\?a=b&code=" + form + "&code=" + form + "#f"),
        sealed.uri());
    assertEquals(call, vault.unseal("s/g/c/j", Attempt.Phase.MAIN, sealed));
    assertEquals(call.destination(), sealed.destination());
  }

  @Test
  void aSealedSecretServesNoOtherJobAndNoOtherField() {
    JobDefinition sealed = vault.seal(JOB, job(basic("main"), null));
    JobDefinition moved = job(basic("x"), sealed.action());

    JobException otherJob =
        assertThrows(JobException.class, () -> vault.seal(JOB.collection().job("other"), sealed));
    assertThrows(JobException.class, () -> vault.seal(JOB, moved));

    assertEquals(
        "action.request.authentication.password: has the form of a sealed secret and cannot be"
            + " opened: it was sealed for another place, or is damaged",
        otherJob.getMessage());
  }

  @Test
  void sealingASealedSecretAgainMovesItToTheActiveKey() {
    JobDefinition old = vault.seal(JOB, job(basic("main"), null));
    Vault rotating = Vault.of(ring(2, 1));

    JobDefinition again = rotating.seal(JOB, old);

    assertEquals(old, vault.seal(JOB, old));
    ActionCall call = again.action().call();
    assertTrue(password(call).startsWith("sealed:v1:" + ring(2).activeId()));
    assertEquals("main", password(Vault.of(ring(2)).unseal("s/g/c/j", Attempt.Phase.MAIN, call)));
  }

  @Test
  void withoutAKeySecretsAreRefused() {
    JobException refusal =
        assertThrows(JobException.class, () -> Vault.locked().seal(JOB, job(basic("main"), null)));

    assertTrue(refusal.getMessage().contains("secrets.keys"), refusal.getMessage());
  }

  @Test
  void aSecretUnderAnUnknownKeyIsNamedAndNotTold() {
    ActionCall call = vault.seal(JOB, job(basic("main"), null)).action().call();

    SecretException failure =
        assertThrows(
            SecretException.class,
            () -> Vault.of(ring(2)).unseal("s/g/c/j", Attempt.Phase.MAIN, call));

    assertEquals(
        "action.request.authentication.password cannot be opened: it is sealed under key "
            + ring(1).activeId()
            + ", which this node does not have",
        failure.getMessage());
    assertFalse(call.toString().contains("main"));
  }
}
