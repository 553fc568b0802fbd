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

  @ParameterizedTest
  @CsvSource({
    "https://u:p@h/?sig=x, https://***@h/?sig=***",
    "https://token@h/, https://***@h/",
    "ht!tps://u:p@h, ht!tps://***@h",
    "https:u:p@h/, ***@h/",
    "u:p@h, ***@h",
    "https://u:p/a@s@h/, https://***@h/",
    "https://u:p?a#s@h/, https://***@h/",
    "https://u:1@h/@j, https://***@h/@j",
  })
  void aRefusalQuotesNoPassword(String uri, String quoted) {
    assertEquals(quoted, QuerySecrets.quotable(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "https://h/@user/ x",
        "https://h:99999/@user",
        "https://[::1]:80/@user",
        "https://h/?to=a@b",
        "https://h?to=a@b",
        "https://h/#a@b"
      })
  void whatHoldsNoPasswordIsQuotedAsItIs(String uri) {
    assertEquals(uri, QuerySecrets.quotable(uri));
  }
}
