package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Input file named on the command line; {@code -} is standard input. */
public record InputFile(String name) {
  public static final String STANDARD = "-";

  public boolean isStandard() {
    return name.equals(STANDARD);
  }

  public InputStream open() throws IOException {
    return new BufferedInputStream(isStandard() ? System.in : Files.newInputStream(Path.of(name)));
  }

  /** Reads all of it. */
  public byte[] read() {
    try (InputStream in = open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads a document, which must not be empty. An object in YAML, which {@code -o yaml} prints,
   * becomes JSON; any other form stays as it is.
   */
  public byte[] readDocument() {
    byte[] document = read();
    if (document.length == 0) {
      throw CommandException.usage("there is no document: the input is empty");
    }
    return Json.isObject(document) ? document : Json.ofYaml(document);
  }

  public CommandException unreadable(IOException e) {
    return CommandException.usage(
        (isStandard() ? "standard input" : name) + " cannot be read: " + IoErrorText.of(e));
  }
}
