package carillon.api;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that starts before each test, on an empty Redis, and stops after it. */
public abstract class WithApi {
  /** The server under test. */
  @AutoClose protected ApiServer api;

  /** The server that a test starts with. */
  protected ApiServer server() {
    return new ApiServer();
  }

  @BeforeEach
  void startServer() {
    api = server();
  }
}
