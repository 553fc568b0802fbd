package carillon.dispatch;

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
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Knows with what the calls of each collection are signed. What it knows is up to {@value
 * #FRESH_SECONDS} seconds old, for {@value #MOST} collections; the one that was not used for
 * longest goes. What is older is not used, also when Redis is away: a secret that was taken back
 * would sign. Confined to an event loop.
 */
final class WebhookSigner {
  private static final long FRESH_SECONDS = 10;
  private static final int MOST = 10_000;

  /** After it Redis may answer again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration FRESH = Duration.ofSeconds(FRESH_SECONDS);

  private final Function<CollectionName, Future<Optional<JobCollection>>> collections;
  private final Vault vault;
  private final InstantSource clock;
  private final Map<String, Known> known = new LruMap<>(MOST);

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
    this.clock = clock;
  }

  private record Known(Future<WebhookSignatures> signatures, Instant until) {
    /** The clock may have been set back since. */
    boolean isFresh(Instant now) {
      return now.isBefore(until) && !now.isBefore(until.minus(FRESH));
    }
  }

  /**
   * How to sign the calls of the attempt's collection; fails with {@link AuthenticationException}
   * where a secret cannot be opened: an unsigned call would be one that the target must not trust;
   * and with {@link NotBegunException} where Redis does not say whether there is one.
   */
  Future<WebhookSignatures> signatures(Attempt attempt) {
    String collection = attempt.collection();
    Instant now = clock.instant();
    Known entry = known.get(collection);
    if (entry == null || !entry.isFresh(now)) {
      Known asked = new Known(ask(collection), now.plus(FRESH));
      known.put(collection, asked);
      asked.signatures.onFailure(
          failure -> {
            if (!(failure instanceof AuthenticationException)) {
              known.remove(collection, asked);
            }
          });
      entry = asked;
    }
    return entry.signatures;
  }

  private Future<WebhookSignatures> ask(String key) {
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

  private WebhookSignatures signatures(CollectionName name, Optional<JobCollection> found) {
    return found
        .flatMap(collection -> collection.definition().signing())
        .map(signing -> new WebhookSignatures(secrets(name, signing)))
        .orElse(WebhookSignatures.NONE);
  }

  private List<String> secrets(CollectionName name, WebhookSigning signing) {
    try {
      return vault.open(name, signing).secrets().stream().map(Secret::text).toList();
    } catch (SecretException e) {
      throw new AuthenticationException("the call cannot be signed: " + e.getMessage());
    }
  }
}
