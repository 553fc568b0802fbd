package carillon.cli;

import carillon.api.WithApi;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;

/** Base of tests of commands with a server that starts before each test. */
public abstract class WithCommands extends WithApi {
  /** Runs commands that connect to the server. */
  protected CarillonCommands carillon;

  @BeforeEach
  void findServer() {
    carillon = new CarillonCommands("http://127.0.0.1:" + api.port());
  }

  /** Returns the output of a successful command. */
  protected String type(String... words) {
    return carillon.type(words).ok().out().strip();
  }

  protected static JsonNode json(String text) throws IOException {
    return Json.MAPPER.readTree(text);
  }
}
