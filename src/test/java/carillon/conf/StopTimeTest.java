package carillon.conf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test that each service manager waits longer for a stop than Carillon may take. */
class StopTimeTest {
  /**
   * Time for a stop after the calls in flight: 10 s for the App, 10 s for its Redis, 2 s to kill
   * it.
   */
  private static final Duration REST = Duration.ofSeconds(22);

  @ParameterizedTest
  @CsvSource({
    "carillon.service, TimeoutStopSec=",
    "compose.yaml, stop_grace_period:",
    "kubernetes/carillon.yaml, terminationGracePeriodSeconds:"
  })
  void theTimeToStopIsAboveTheGraceAndWhatFollowsIt(String file, String word) throws IOException {
    Matcher line =
        Pattern.compile(Pattern.quote(word) + " ?(\\d+)")
            .matcher(Files.readString(Path.of("conf", file)));

    assertTrue(line.find(), "there is no " + word);
    Duration patience = Duration.ofSeconds(Long.parseLong(line.group(1)));
    Duration longest = Settings.defaults().node().stopGrace().plus(REST);
    assertTrue(patience.compareTo(longest) > 0, patience + " is not above " + longest);
  }
}
