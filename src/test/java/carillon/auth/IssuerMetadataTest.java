package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the addresses of an issuer. */
class IssuerMetadataTest {
  @ParameterizedTest
  @CsvSource({
    "https://issuer.example, https://other.example/token, true",
    "https://issuer.example, http://issuer.example/token, false",
    "https://issuer.example, http://localhost/token, false",
    "https://issuer.example, http://127.0.0.1:8080/token, false",
    "http://localhost:8080, http://localhost:8080/token, true",
    "http://127.0.0.1:8080, http://[::1]:8080/token, true",
    "http://localhost:8080, http://issuer.example/token, false",
    "http://localhost:8080, https://issuer.example/token, true",
  })
  void onlyAnIssuerOnThisMachineHasAddressesWithoutTls(
      String issuer, String endpoint, boolean isUsed) {
    IssuerMetadata metadata =
        IssuerMetadata.parse(
            "{\"issuer\":\"%s\",\"token_endpoint\":\"%s\"}".formatted(issuer, endpoint), issuer);

    if (isUsed) {
      assertEquals(endpoint, metadata.tokenEndpoint().toString());
    } else {
      assertThrows(IllegalStateException.class, metadata::tokenEndpoint);
    }
  }
}
