package carillon.api;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Base of tests with a server that starts before each test, on an empty Redis, and stops after it.
 */
@Tag("redis")
public abstract class WithApi {
  /** The server under test. */
  @AutoClose protected ApiServer api;

  /** Creates the server of a test. */
  protected ApiServer server() {
    return new ApiServer();
  }

  @BeforeEach
  void startServer() {
    api = server();
  }
}
