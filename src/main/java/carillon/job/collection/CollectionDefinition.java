package carillon.job.collection;

import carillon.job.JobException;
import carillon.job.Pause;
import carillon.job.Secret;
import carillon.job.WireWord;
import carillon.recurrence.Frequency;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a job collection.
 *
 * @param location as the client gave it
 * @param tags in the client's order
 * @param sku name of the plan, in the client's case
 * @param state anything but ENABLED keeps all jobs of the collection from running
 * @param quota explicit bounds
 * @param label a text of the client's own, which the classic API knows
 * @param signing of the calls of its jobs, if they are signed
 * @param pause while it is disabled; empty while it is enabled, and where its document disabled it
 */
public record CollectionDefinition(
    Optional<String> location,
    Map<String, String> tags,
    Optional<String> sku,
    State state,
    Optional<Quota> quota,
    Optional<String> label,
    Optional<WebhookSigning> signing,
    Optional<Pause> pause) {
  public CollectionDefinition {
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  /** A collection whose calls are not signed. */
  public CollectionDefinition(
      Optional<String> location,
      Map<String, String> tags,
      Optional<String> sku,
      State state,
      Optional<Quota> quota) {
    this(location, tags, sku, state, quota, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** A collection of which nothing was said. */
  public static final CollectionDefinition PLAIN =
      new CollectionDefinition(
          Optional.empty(), Map.of(), Optional.empty(), State.ENABLED, Optional.empty());

  /**
   * These settings with another state and without a pause; themselves where they have that state.
   */
  public CollectionDefinition in(State other) {
    return other == state ? this : in(other, Optional.empty());
  }

  /** These settings in the state DISABLED, with what is said of the pause. */
  public CollectionDefinition paused(Optional<Pause> said) {
    return in(State.DISABLED, said);
  }

  /** These settings with the pause of those that they replace, where both have the same state. */
  public CollectionDefinition keepingPause(CollectionDefinition replaced) {
    return state == replaced.state ? in(state, replaced.pause) : this;
  }

  private CollectionDefinition in(State other, Optional<Pause> said) {
    return new CollectionDefinition(location, tags, sku, other, quota, label, signing, said);
  }

  /** These settings at another location. */
  public CollectionDefinition at(Optional<String> other) {
    return new CollectionDefinition(other, tags, sku, state, quota, label, signing, pause);
  }

  /** These settings with every secret replaced; themselves when they have none. */
  public CollectionDefinition mapSecrets(Secret.Mapping mapping) {
    return signing.map(signed -> with(signed.mapSecrets(mapping))).orElse(this);
  }

  /** Whether secrets were left out, so that the stored ones are to stay. */
  public boolean keepsSecrets() {
    return signing.filter(WebhookSigning::isKept).isPresent();
  }

  /**
   * These settings, with the stored secrets where secrets were left out. Fails with INVALID where
   * none are stored.
   */
  public CollectionDefinition keeping(Optional<CollectionDefinition> stored) {
    return keepsSecrets()
        ? stored
            .flatMap(CollectionDefinition::signing)
            .map(this::with)
            .orElseThrow(
                () ->
                    JobException.invalid(
                        "signing.secrets: is missing; it can be left out only where the stored"
                            + " collection has them"))
        : this;
  }

  /** These settings with another signing. */
  public CollectionDefinition with(WebhookSigning other) {
    return new CollectionDefinition(
        location, tags, sku, state, quota, label, Optional.of(other), pause);
  }

  /** Whether the jobs of the collection run. */
  public enum State implements WireWord {
    ENABLED,
    DISABLED,
    SUSPENDED;
  }

  /**
   * Explicit bounds, each of which may be absent.
   *
   * @param maxJobCount most jobs in the collection
   * @param maxJobOccurrence most occurrences of a job
   * @param maxRecurrence the smallest permitted interval
   */
  public record Quota(
      OptionalInt maxJobCount,
      OptionalInt maxJobOccurrence,
      Optional<MaxRecurrence> maxRecurrence) {}

  /** The smallest permitted interval between two occurrences. */
  public record MaxRecurrence(Frequency frequency, int interval) {}

  /**
   * How the calls of a collection are signed (Standard Webhooks): one signature with each secret,
   * so that receivers can change over from one to the next.
   *
   * @param secrets {@code whsec_} and base64 of 24 to 64 bytes each; {@link Secret#KEPT} alone
   *     where a client gave none
   */
  public record WebhookSigning(List<Secret> secrets) {
    /** How a secret begins; base64 follows. */
    public static final String PREFIX = "whsec_";

    /** Stands where a client gave no secrets, so that the stored ones stay. */
    public static final WebhookSigning KEPT = new WebhookSigning(List.of(Secret.KEPT));

    /** Field of the secrets, as {@link Secret.Mapping} names it. */
    private static final String PLACE = "signing.secrets";

    public WebhookSigning {
      secrets = List.copyOf(secrets);
    }

    /** This signing with every secret replaced. */
    public WebhookSigning mapSecrets(Secret.Mapping mapping) {
      return new WebhookSigning(
          secrets.stream().map(secret -> mapping.apply(PLACE, secret)).toList());
    }

    /** Whether the stored secrets are to stay. */
    public boolean isKept() {
      return equals(KEPT);
    }
  }
}
