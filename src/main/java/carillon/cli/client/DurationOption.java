package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.json.text.DurationFormats;
import java.time.Duration;

/** Duration typed as the value of an option: {@code 30s}, {@code 1h30m}, {@code PT5M}. */
public final class DurationOption {
  private DurationOption() {}

  /** Reads the value of an option; fails with its name. */
  public static Duration read(String option, String text) {
    return DurationFormats.parse(text)
        .orElseThrow(
            () ->
                CommandException.usage(
                    option + " " + DurationFormats.RULE + ", was '" + text + "'"));
  }
}
