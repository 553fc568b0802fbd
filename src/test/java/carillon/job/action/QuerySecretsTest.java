package carillon.job.action;

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
    "https://h/?a=b&sig=x%2B&c=d#f?code=g, https://h/?a=b&sig=***&c=d#f?code=***",
    "https://h/?%73ig=x&s%69g=y&api%5Fkey=z, https://h/?%73ig=***&s%69g=***&api%5Fkey=***",
    "https://h/?%63ode=x&code%20=y&token%5B%5D=z, https://h/?%63ode=***&code%20=***&token%5B%5D=***",
    "https://h/?si%67=x&%zzig=y&sig%=z, https://h/?si%67=***&%zzig=y&sig%=***",
    "https://h/?token[]=x&token[]=y, https://h/?token[]=***&token[]=***",
    "https://h/#code=x&state=y&access_token=z, https://h/#code=***&state=y&access_token=***",
    "https://h/#?code=x, https://h/#?code=***",
    "https://h/?sig=x#/a/b?sig=y&c=d#code=z, https://h/?sig=***#/a/b?sig=***&c=d#code=***",
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
        "https://h/#code",
        "https://h/#a=code&b=c",
        "https://h/#/code=",
        "https://h/?%2573ig=x"
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

  @Test
  void theFragmentHasFieldsOfItsOwn() {
    assertEquals(
        Map.of("key", "a", "#key", "b", "#key.2", "c"),
        QuerySecrets.of("https://h/?key=a#key=b&KEY=c"));
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
