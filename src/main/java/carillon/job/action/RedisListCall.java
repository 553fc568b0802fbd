package carillon.job.action;

import carillon.job.name.WireWord;

/**
 * Entry for a list in the scheduler's Redis.
 *
 * @param list name of the list within the job's collection
 * @param message part of the entry
 * @param side at which the entry is pushed
 * @param maxLength entries that the list keeps; the oldest are dropped. If several jobs fill a
 *     list, the largest value applies; {@link RedisStreamCall#UNSPECIFIED} for the deployment's
 *     bound
 */
public record RedisListCall(String list, String message, Side side, int maxLength)
    implements ActionCall {

  /** An end of a list. */
  public enum Side implements WireWord {
    /** LPUSH: consumers pop on the right. */
    LEFT,
    /** RPUSH: consumers pop on the left. */
    RIGHT;
  }

  @Override
  public Kind kind() {
    return Kind.REDIS_LIST;
  }

  /** Returns this call itself, because it has no secrets. */
  @Override
  public RedisListCall mapSecrets(Secret.Mapping mapping) {
    return this;
  }

  @Override
  public RedisListCall mapTexts(TextMapping mapping) {
    String other = mapping.apply("message", message, TextMapping.TextForm.PLAIN);
    return new RedisListCall(list, other, side, maxLength);
  }

  @Override
  public Destination destination() {
    return Destination.OWN_QUEUES;
  }

  /** Names the destination only: the message may hold secrets. */
  @Override
  public String toString() {
    return "RedisListCall[" + list + "]";
  }
}
