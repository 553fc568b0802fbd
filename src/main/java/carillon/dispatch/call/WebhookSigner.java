package carillon.dispatch.call;

import carillon.bounded.AsyncCache;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.job.action.Secret;
import carillon.job.attempt.Attempt;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.redis.route.RedisErrors;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signer of calls with the secrets of each collection. Its knowledge is at most {@value
 * #FRESH_SECONDS} seconds old. Older secrets are not used, even if Redis is unavailable, because a
 * revoked secret would sign. Confined to an event loop.
 */
public final class WebhookSigner {
  private static final long FRESH_SECONDS = 10;

  /** Pause after a failed read from Redis. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Function<CollectionName, Future<Optional<JobCollection>>> collections;
  private final Vault vault;
  private final AsyncCache<Future<Signatures>> known;

  /**
   * A signer.
   *
   * @param collections finds a collection, and fails where Redis is away
   */
  public WebhookSigner(
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
   * Returns the signatures for calls of the attempt's collection. Fails with {@link
   * AuthenticationException} if a secret cannot be unsealed: a target must not trust an unsigned
   * call. Fails with {@link NotBegunException} if Redis does not say whether there is a secret.
   */
  public Future<Signatures> signatures(Attempt attempt) {
    String collection = attempt.collection();
    return known.get(collection, () -> ask(collection)).compose(Function.identity());
  }

  /**
   * Asks for the secrets of a collection. The inner future fails if a secret cannot be unsealed,
   * and that failure is remembered as well.
   */
  private Future<Future<Signatures>> ask(String key) {
    CollectionName name = CollectionName.parse(key);
    return collections
        .apply(name)
        .recover(failure -> Future.failedFuture(unknown(failure)))
        .map(found -> signatures(name, found));
  }

  private static Throwable unknown(Throwable failure) {
    return RedisErrors.isUnavailable(failure)
        ? new NotBegunException("Redis does not say with what calls are signed", PAUSE)
        : failure;
  }

  private Future<Signatures> signatures(CollectionName name, Optional<JobCollection> found) {
    try {
      return Future.succeededFuture(
          found
              .flatMap(collection -> collection.definition().signing())
              .map(signing -> new Signatures(secrets(name, signing)))
              .orElse(Signatures.NONE));
    } catch (SecretException e) {
      return Future.failedFuture(
          new AuthenticationException("the call cannot be signed: " + e.getMessage()));
    }
  }

  private List<String> secrets(CollectionName name, WebhookSigning signing) {
    return vault.unseal(name, signing).secrets().stream().map(Secret::text).toList();
  }

  /**
   * Signs calls as Standard Webhooks 1.0.0 has it: HMAC-SHA256 over id, time and body with each
   * secret. The id identifies the delivery: it is the same in every attempt of an action.
   * Thread-safe.
   */
  public static final class Signatures {
    public static final Signatures NONE = new Signatures(List.of());

    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKey> keys;

    /**
     * Signs with these secrets.
     *
     * @param secrets {@code whsec_} and base64
     */
    Signatures(List<String> secrets) {
      this.keys = secrets.stream().map(Signatures::key).toList();
    }

    private static SecretKey key(String secret) {
      byte[] bytes = Base64.getDecoder().decode(secret.substring(WebhookSigning.PREFIX.length()));
      return new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Adds the headers of one attempt; none without a secret. */
    public void addTo(MultiMap headers, Attempt attempt, Instant now, String body) {
      if (!keys.isEmpty()) {
        String id = attempt.deliveryId();
        String time = Long.toString(now.getEpochSecond());
        headers.set("webhook-id", id);
        headers.set("webhook-timestamp", time);
        headers.set("webhook-signature", of(id, time, body));
      }
    }

    /** The value of the header: {@code v1,<base64>} for each secret, blanks between. */
    String of(String id, String time, String body) {
      byte[] content = (id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8);
      StringBuilder all = new StringBuilder();
      for (SecretKey key : keys) {
        all.append(all.isEmpty() ? "v1," : " v1,").append(of(key, content));
      }
      return all.toString();
    }

    private static String of(SecretKey key, byte[] content) {
      try {
        Mac mac = Mac.getInstance(ALGORITHM);
        mac.init(key);
        return Base64.getEncoder().encodeToString(mac.doFinal(content));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
      }
    }

    /** Shows no secret. */
    @Override
    public String toString() {
      return "Signatures[" + keys.size() + "]";
    }
  }
}
