package carillon.timer;

/** Told the instants at which a partition is to be looked at again. */
interface WakeUpListener {
  /**
   * Something in the partition is due at this instant.
   *
   * @param earliest true for the earliest entry of the partition, false for an entry that this node
   *     has just armed
   */
  void at(int partition, long millis, boolean earliest);
}
