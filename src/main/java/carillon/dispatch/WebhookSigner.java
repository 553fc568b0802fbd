package carillon.dispatch;

import carillon.cache.AsyncCache;
import carillon.job.Attempt;
import carillon.job.CollectionDefinition.WebhookSigning;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.Secret;
import carillon.redis.RedisLink;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Finds the secrets with which the calls of each collection are signed. What it knows is up to
 * {@value #FRESH_SECONDS} seconds old. What is older is not used, also when Redis is away: a secret
 * that was taken back would sign. Confined to an event loop.
 */
final class WebhookSigner {
  private static final long FRESH_SECONDS = 10;

  /** After it Redis may answer again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Function<CollectionName, Future<Optional<JobCollection>>> collections;
  private final Vault vault;
  private final AsyncCache<Future<WebhookSignatures>> known;

  /**
   * A signer.
   *
   * @param collections finds a collection, and fails where Redis is away
   */
  WebhookSigner(
      Function<CollectionName, Future<Optional<JobCollection>>> collections,
      Vault vault,
      InstantSource clock) {
    this.collections = collections;
    this.vault = vault;
    this.known =
        new AsyncCache<>(
            Duration.ofSeconds(FRESH_SECONDS), () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
  }

  /**
   * How to sign the calls of the attempt's collection; fails with {@link AuthenticationException}
   * where a secret cannot be opened: an unsigned call would be one that the target must not trust;
   * and with {@link NotBegunException} where Redis does not say whether there is one.
   */
  Future<WebhookSignatures> signatures(Attempt attempt) {
    String collection = attempt.collection();
    return known.get(collection, () -> ask(collection)).compose(Function.identity());
  }

  /** The inner future fails where a secret cannot be opened: that is remembered as well. */
  private Future<Future<WebhookSignatures>> ask(String key) {
    CollectionName name = CollectionName.parse(key);
    return collections
        .apply(name)
        .recover(failure -> Future.failedFuture(unknown(failure)))
        .map(found -> signatures(name, found));
  }

  private static Throwable unknown(Throwable failure) {
    return RedisLink.isUnavailable(failure)
        ? new NotBegunException("Redis does not say with what calls are signed", PAUSE)
        : failure;
  }

  private Future<WebhookSignatures> signatures(CollectionName name, Optional<JobCollection> found) {
    try {
      return Future.succeededFuture(
          found
              .flatMap(collection -> collection.definition().signing())
              .map(signing -> new WebhookSignatures(secrets(name, signing)))
              .orElse(WebhookSignatures.NONE));
    } catch (SecretException e) {
      return Future.failedFuture(
          new AuthenticationException("the call cannot be signed: " + e.getMessage()));
    }
  }

  private List<String> secrets(CollectionName name, WebhookSigning signing) {
    return vault.open(name, signing).secrets().stream().map(Secret::text).toList();
  }
}
