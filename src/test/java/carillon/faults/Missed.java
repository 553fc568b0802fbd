package carillon.faults;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Occurrences that were missed together, as an entry of the history reports them.
 *
 * @param count number of occurrences
 * @param from the first of them
 */
record Missed(int count, Instant from) {
  private static final Pattern TEXT =
      Pattern.compile(
          "Not performed: (?:at least )?(\\d+) occurrences from (\\S+) were (?:missed(?:: [^;]*)?; the latest, of \\S+, runs late|due and not begun when the job was \\w+)");

  static Optional<Missed> parse(String message) {
    Matcher matcher = TEXT.matcher(message);
    return matcher.matches()
        ? Optional.of(
            new Missed(Integer.parseInt(matcher.group(1)), Instant.parse(matcher.group(2))))
        : Optional.empty();
  }
}
