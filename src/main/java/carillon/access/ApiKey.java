package carillon.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * API key as it is stored: its id, its client, a digest and grants.
 *
 * @param id is not secret
 * @param client whose key it is; two keys of one client let it change from one to the other
 * @param hash of the whole key, see {@link ApiKeyToken#hash}
 * @param by who made it
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

  /** A key that the operator gives in the settings: for all, for ever. */
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

  /** Whoever shows this key. */
  public Caller identity() {
    return new Caller(client, Caller.AuthenticationMethod.KEY, id, grants);
  }

  /** Whoever signed in with this key. */
  public Caller identityInSession() {
    return new Caller(client, Caller.AuthenticationMethod.SESSION, id, grants);
  }

  /** Without the hash. */
  @Override
  public String toString() {
    return "ApiKey[" + id + " of " + client + ", " + grants + "]";
  }
}
