package carillon.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Input file named on the command line; {@code -} is standard input. */
record InputFile(String name) {
  static final String STANDARD = "-";

  boolean isStandard() {
    return name.equals(STANDARD);
  }

  InputStream open() throws IOException {
    return new BufferedInputStream(isStandard() ? System.in : Files.newInputStream(Path.of(name)));
  }

  /** Reads all of it. */
  byte[] read() {
    try (InputStream in = open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  CommandException unreadable(IOException e) {
    return CommandException.usage(
        (isStandard() ? "standard input" : name) + " cannot be read: " + IoErrorText.of(e));
  }
}
