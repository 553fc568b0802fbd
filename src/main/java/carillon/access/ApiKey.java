package carillon.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stored API key: its id, its client, a digest and grants.
 *
 * @param id public id
 * @param client owner of the key; two keys of one client let it change from one to the other
 * @param hash hash of the whole key, see {@link ApiKeyToken#hash}
 * @param by creator of the key
 */
public record ApiKey(
    String id,
    String client,
    String hash,
    List<Grant> grants,
    Instant created,
    Optional<Instant> expires,
    String by) {
  public ApiKey {
    grants = List.copyOf(grants);
  }

  /** Returns a key that the operator gives in the settings: unlimited in scope and time. */
  public static ApiKey ofOperator(ApiKeyToken text) {
    return new ApiKey(
        text.id(),
        "operator",
        text.hash(),
        List.of(new Grant(Role.ADMIN, Scope.EVERYTHING)),
        Instant.EPOCH,
        Optional.empty(),
        "settings");
  }

  public boolean isExpired(Instant now) {
    return expires.filter(end -> !now.isBefore(end)).isPresent();
  }

  /** Returns the caller with this key. */
  public Caller identity() {
    return new Caller(client, Caller.AuthenticationMethod.KEY, id, grants);
  }

  /** Returns the caller who signed in with this key. */
  public Caller identityInSession() {
    return new Caller(client, Caller.AuthenticationMethod.SESSION, id, grants);
  }

  /** Shows all but the hash. */
  @Override
  public String toString() {
    return "ApiKey[" + id + " of " + client + ", " + grants + "]";
  }
}
