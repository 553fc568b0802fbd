package carillon.timer;

/** Receives the wake-ups that {@link TimerWheel#advance} finds due. */
@FunctionalInterface
public interface WakeUpSink {

  /**
   * Called once per partition and slot.
   *
   * @param partition 0 to partitions - 1
   * @param atMillis the instant it was scheduled for, epoch ms; never after the {@code nowMillis}
   *     of the advance
   */
  void wake(int partition, long atMillis);
}
