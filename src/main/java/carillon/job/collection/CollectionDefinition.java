package carillon.job.collection;

import carillon.job.Pause;
import carillon.job.action.Secret;
import carillon.job.name.JobException;
import carillon.job.name.WireWord;
import carillon.recurrence.Frequency;
import java.time.Instant;
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
 * @param pause of a disabled collection, or planned for an enabled one; empty where a document
 *     disabled it
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

  /** A collection without any settings. */
  public static final CollectionDefinition PLAIN =
      new CollectionDefinition(
          Optional.empty(), Map.of(), Optional.empty(), State.ENABLED, Optional.empty());

  /**
   * Returns these settings in the state ENABLED. Keeps the planned pause of a disabled collection,
   * but drops that of an enabled one.
   */
  public CollectionDefinition enabled(Instant now) {
    return state == State.ENABLED && pause.isEmpty()
        ? this
        : in(State.ENABLED, pause.flatMap(one -> one.resumed(now)));
  }

  /**
   * Returns these settings with the state that follows from their pause at this instant: begun,
   * over, or unchanged.
   */
  public CollectionDefinition following(Instant now) {
    if (pause.filter(one -> one.isOver(now)).isPresent()) {
      Optional<Pause> next = pause.flatMap(one -> one.plan(now));
      boolean hasBegun = next.filter(one -> one.goesOn(now)).isPresent();
      return in(hasBegun ? State.DISABLED : State.ENABLED, next);
    }
    return isPlanned() && holds(now) ? in(State.DISABLED, pause) : this;
  }

  /**
   * Returns these settings with a pause, which disables the collection unless it is only planned.
   */
  public CollectionDefinition paused(Pause said, Instant now) {
    return in(said.since().isAfter(now) ? State.ENABLED : State.DISABLED, Optional.of(said));
  }

  /** Whether a pause is planned that no node has begun yet. */
  public boolean isPlanned() {
    return state == State.ENABLED && pause.isPresent();
  }

  /** Whether nodes need a marker: the collection is disabled, or a pause is planned. */
  public boolean needsMarker() {
    return state != State.ENABLED || isPlanned();
  }

  /** Whether no job runs at this instant. A planned pause counts from its beginning. */
  public boolean holds(Instant now) {
    return state != State.ENABLED
        || pause.flatMap(one -> one.current(now)).filter(one -> one.goesOn(now)).isPresent();
  }

  /**
   * Returns these settings with the pause of the settings that they replace. If the two differ in
   * state, only the plan stays.
   */
  public CollectionDefinition keepingPause(CollectionDefinition replaced) {
    return state == replaced.state ? in(state, replaced.pause) : keepingPlan(replaced);
  }

  private CollectionDefinition keepingPlan(CollectionDefinition replaced) {
    Optional<Pause> plan =
        replaced.isPlanned() ? replaced.pause : replaced.pause.flatMap(Pause::planned);
    return state == State.ENABLED && plan.isPresent() ? in(state, plan) : this;
  }

  private CollectionDefinition in(State other, Optional<Pause> said) {
    return new CollectionDefinition(location, tags, sku, other, quota, label, signing, said);
  }

  /** Returns these settings at another location. */
  public CollectionDefinition at(Optional<String> other) {
    return new CollectionDefinition(other, tags, sku, state, quota, label, signing, pause);
  }

  /** Returns these settings with every secret replaced, or themselves if they have none. */
  public CollectionDefinition mapSecrets(Secret.Mapping mapping) {
    return signing.map(signed -> with(signed.mapSecrets(mapping))).orElse(this);
  }

  /** Whether secrets were omitted, so that the stored ones stay. */
  public boolean keepsSecrets() {
    return signing.filter(WebhookSigning::isKept).isPresent();
  }

  /**
   * Returns these settings with the planned pause of the stored ones. Stored secrets replace
   * omitted ones. Fails with INVALID if none are stored.
   */
  public CollectionDefinition keeping(Optional<CollectionDefinition> stored) {
    CollectionDefinition whole = keepingSecrets(stored);
    return stored.map(whole::keepingPlan).orElse(whole);
  }

  private CollectionDefinition keepingSecrets(Optional<CollectionDefinition> stored) {
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

  /** Returns these settings with another signing. */
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
   * Signing of the calls of a collection (Standard Webhooks): one signature with each secret, so
   * that receivers can rotate secrets.
   *
   * @param secrets {@code whsec_} and base64 of 24 to 64 bytes each; {@link Secret#KEPT} alone if a
   *     client gave none
   */
  public record WebhookSigning(List<Secret> secrets) {
    /** Prefix of a secret; base64 follows. */
    public static final String PREFIX = "whsec_";

    /** Placeholder for omitted secrets, so that the stored ones stay. */
    public static final WebhookSigning KEPT = new WebhookSigning(List.of(Secret.KEPT));

    /** Field of the secrets, as {@link Secret.Mapping} names it. */
    private static final String PLACE = "signing.secrets";

    public WebhookSigning {
      secrets = List.copyOf(secrets);
    }

    /** Returns this signing with every secret replaced. */
    public WebhookSigning mapSecrets(Secret.Mapping mapping) {
      return new WebhookSigning(
          secrets.stream().map(secret -> mapping.apply(PLACE, secret)).toList());
    }

    /** Whether this means that the stored secrets stay. */
    public boolean isKept() {
      return equals(KEPT);
    }
  }
}
