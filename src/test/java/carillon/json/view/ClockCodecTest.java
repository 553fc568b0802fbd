package carillon.json.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.job.name.JobException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockCodecTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | by: is missing; give by or to",
        "{`by`:`P1D`,`to`:`2027-04-01T00:00:00Z`} | by: 'P1D' does not go with to; leave one out",
      })
  void whatIsAskedWronglyIsRefusedWithItsValue(String request, String refusal) {
    byte[] json = request.replace('`', '"').getBytes(StandardCharsets.UTF_8);

    assertEquals(
        refusal, assertThrows(JobException.class, () -> ClockCodec.read(json)).getMessage());
  }
}
