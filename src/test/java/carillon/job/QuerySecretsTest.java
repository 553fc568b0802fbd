package carillon.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuerySecretsTest {
  @ParameterizedTest
  @CsvSource({
    "https://h/?code=x, https://h/?code=***",
    "https://h/?a=b&sig=x%2B&c=d#f?code=g, https://h/?a=b&sig=***&c=d#f?code=g",
    "https://h/p?access_token=x=y&&API-KEY=z, https://h/p?access_token=***&&API-KEY=***",
    "https://h/?token=x&token=y, https://h/?token=***&token=***",
    "no uri ?key=x y, no uri ?key=***",
    "https://h/?X-Amz-Credential=x&X-Amz-Signature=y&X-Amz-Date=z,"
        + " https://h/?X-Amz-Credential=***&X-Amz-Signature=***&X-Amz-Date=z"
  })
  void theMaskTakesThePlaceOfEachSecret(String uri, String masked) {
    assertEquals(masked, QuerySecrets.masked(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://h/",
        "https://h/code=x",
        "https://h/?",
        "https://h/?code",
        "https://h/?code=",
        "https://h/?a=code&sort_key=b&=c&keyword=d",
        "https://h/#?code=x"
      })
  void whatHoldsNoSecretStays(String uri) {
    assertSame(uri, QuerySecrets.masked(uri));
  }

  @Test
  void aNameThatComesAgainHasANumber() {
    assertEquals(
        Map.of("key", "a", "key.2", "b", "code", "c"),
        QuerySecrets.of("https://h/?key=a&KEY=b&code=c"));
  }
}
