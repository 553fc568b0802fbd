package carillon.embedded;

/** Where the redis-server program comes from. */
public enum BinarySource {
  /** {@link #PATH} when there is one, else {@link #JAR}. */
  ANY,
  /**
   * {@code redis-server} on the PATH, else {@code valkey-server}, version 7.0 or newer (an older
   * one is passed over).
   */
  PATH,
  /** The binary for this system in the org.signal:embedded-redis jar on the class path. */
  JAR
}
