package carillon.json.action;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the codec of HTTP calls. */
class HttpCallCodecTest {
  @ParameterizedTest
  @CsvSource({
    "Content-Type, content-Type",
    "content-type, content-type",
    "ConTent-tYPe, conTent-tYPe",
    "DNT, dnt",
    "ETag, eTag",
    "X-MS-Version, x-MS-Version",
    "WWW-Authenticate, wwW-Authenticate"
  })
  void headerNamesAreCamelCasedAsJsonNetDid(String given, String answered) {
    assertEquals(answered, HttpCallCodec.camelCase(given));
  }
}
