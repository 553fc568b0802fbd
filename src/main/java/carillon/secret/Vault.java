package carillon.secret;

import carillon.job.JobDefinition;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.job.attempt.Attempt;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Vault of the secrets in jobs and collections: seals them on arrival and unseals them for use. A
 * sealed secret is bound to the key of its job and to its field. Thread-safe and quick: a few
 * microseconds for a secret, nothing for a job without one.
 */
public final class Vault {
  private final Optional<Sealer> sealer;

  private Vault(Optional<Sealer> sealer) {
    this.sealer = sealer;
  }

  /** A vault under these keys. */
  public static Vault of(KeyRing keys) {
    return new Vault(Optional.of(new Sealer(keys)));
  }

  /** Returns a vault without a key: it refuses any secret. */
  public static Vault locked() {
    return new Vault(Optional.empty());
  }

  /**
   * The job as it may be stored: every secret sealed under the active key. A value in the form of a
   * sealed secret must belong to this very job and field.
   *
   * @throws JobException INVALID if it does not, or if there is no key
   */
  public JobDefinition seal(JobName job, JobDefinition definition) {
    return reseal(job.key(), definition);
  }

  /**
   * The collection as it may be stored: every secret sealed under the active key. A value in the
   * form of a sealed secret must belong to this very collection and field.
   *
   * @throws JobException INVALID if it does not, or if there is no key
   */
  public CollectionDefinition seal(CollectionName collection, CollectionDefinition definition) {
    return reseal(collection.key(), definition);
  }

  /**
   * Whether a stored definition may hold a secret, sealed or in clear in a header or query. It only
   * scans the text.
   */
  public static boolean mayHoldSecret(String definition) {
    return definition.contains(Sealer.MARK)
        || definition.contains("\"headers\":")
        || definition.indexOf('?') >= 0
        || definition.indexOf('#') >= 0;
  }

  /** The first field of a stored job whose secret is not sealed; empty when there is none. */
  public static Optional<String> firstInClear(JobDefinition stored) {
    List<String> found = new ArrayList<>();
    stored.mapSecrets(
        (field, secret) -> {
          if (!Sealer.isSealed(secret.text())) {
            found.add(field);
          }
          return secret;
        });
    return found.stream().findFirst();
  }

  /**
   * A stored job with its secrets under the active key. Secrets under that key stay unchanged.
   *
   * @param job key of the job
   * @throws JobException if a secret cannot be unsealed
   */
  public JobDefinition reseal(String job, JobDefinition definition) {
    return definition.mapSecrets((field, secret) -> sealed(job, field, secret));
  }

  /**
   * A stored collection with its secrets under the active key. Secrets under that key stay
   * unchanged.
   *
   * @param collection key of the collection
   * @throws JobException if a secret cannot be unsealed
   */
  public CollectionDefinition reseal(String collection, CollectionDefinition definition) {
    return definition.mapSecrets((field, secret) -> sealed(collection, field, secret));
  }

  /** The public name of the key that seals. */
  public String activeKey() {
    return sealer.map(Sealer::activeKey).orElse("none");
  }

  /** Whether there is an older key that may still seal secrets. */
  public boolean hasOlderKeys() {
    return sealer.filter(Sealer::hasOlderKeys).isPresent();
  }

  private Secret sealed(String owner, String field, Secret secret) {
    Secret clear = unsealedIfSealed(owner, field, secret);
    Sealer keys = keysFor(field);
    return Sealer.isSealed(secret.text()) && keys.isCurrent(secret.text())
        ? secret
        : new Secret(keys.seal(clear.text(), place(owner, field)));
  }

  /**
   * Returns the submitted job with its secrets in clear, for a check before it is sealed. Secrets
   * that came in clear stay unchanged.
   *
   * @throws JobException INVALID as {@link #seal} does
   */
  public JobDefinition unseal(JobName job, JobDefinition definition) {
    return definition.mapSecrets((field, secret) -> unsealedIfSealed(job.key(), field, secret));
  }

  private Secret unsealedIfSealed(String owner, String field, Secret secret) {
    if (!Sealer.isSealed(secret.text())) {
      return secret;
    }
    try {
      return new Secret(keysFor(field).unseal(secret.text(), place(owner, field)));
    } catch (SecretException e) {
      throw JobException.invalid(
          field + ": has the form of a sealed secret and cannot be opened: " + e.getMessage());
    }
  }

  private Sealer keysFor(String field) {
    return sealer.orElseThrow(
        () ->
            JobException.invalid(
                field
                    + ": cannot be kept, because this scheduler has no key to seal it with;"
                    + " its operator can set secrets.keys or secrets.keyFile"));
  }

  /**
   * The call with its secrets in clear, for the moment of an attempt.
   *
   * @param job key of the job, see {@link JobName#key}
   * @throws SecretException when one cannot be unsealed
   */
  public ActionCall unseal(String job, Attempt.Phase phase, ActionCall call) {
    return JobDefinition.mapSecrets(call, phase, (field, secret) -> unsealed(job, field, secret));
  }

  /**
   * The signing of a collection with its secrets in clear.
   *
   * @throws SecretException when one cannot be unsealed
   */
  public WebhookSigning unseal(CollectionName collection, WebhookSigning signing) {
    return signing.mapSecrets((field, secret) -> unsealed(collection.key(), field, secret));
  }

  private Secret unsealed(String owner, String field, Secret secret) {
    if (HttpCall.isVisible(field) && !Sealer.isSealed(secret.text())) {
      return secret;
    }
    try {
      Sealer keys =
          sealer.orElseThrow(() -> new SecretException("this node has no key for secrets"));
      return new Secret(keys.unseal(secret.text(), place(owner, field)));
    } catch (SecretException e) {
      throw new SecretException(field + " cannot be opened: " + e.getMessage());
    }
  }

  private static String place(String owner, String field) {
    return owner + "\n" + field;
  }
}
