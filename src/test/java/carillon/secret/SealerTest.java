package carillon.secret;

import static carillon.support.Keys256.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealerTest {
  private static final String OLD = key(1);
  private static final String NEW = key(2);
  private final Sealer sealer = new Sealer(KeyRing.of(List.of(OLD)));

  @ParameterizedTest
  @ValueSource(strings = {"", "p", "pässwörd 🕐", "sealed:v1:x"})
  void aSealedTextOpensForItsPlace(String text) {
    String sealed = sealer.seal(text, "here");

    assertTrue(Sealer.isSealed(sealed));
    assertEquals(text, sealer.unseal(sealed, "here"));
  }

  @Test
  void theSameTextIsSealedToAnotherEachTime() {
    assertNotEquals(sealer.seal("a", "here"), sealer.seal("a", "here"));
  }

  @Test
  void aSealedTextDoesNotOpenForAnotherPlace() {
    String sealed = sealer.seal("text", "here");

    SecretException refusal =
        assertThrows(SecretException.class, () -> sealer.unseal(sealed, "there"));

    assertEquals("it was sealed for another place, or is damaged", refusal.getMessage());
  }

  @Test
  void everyChangedCharacterIsNoticed() {
    String sealed = sealer.seal("text", "here");
    for (int i = 0; i < sealed.length() - 1; i++) { // the last character has unused bits
      char other = sealed.charAt(i) == 'b' ? 'c' : 'b';
      String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);

      assertThrows(SecretException.class, () -> sealer.unseal(changed, "here"), changed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sealed:v1:",
        "sealed:v1::AAAA",
        "sealed:v1:12345678",
        "sealed:v1:12345678:",
        "sealed:v1:<script>:AAAA",
        "sealed:v1:canarykey:AAAA",
        "plain"
      })
  void whatIsNotSealedIsNotOpened(String text) {
    assertThrows(SecretException.class, () -> sealer.unseal(text, "here"));
  }

  @Test
  void anUnknownKeyIsNamed() {
    String sealed = sealer.seal("text", "here");
    Sealer other = new Sealer(KeyRing.of(List.of(NEW)));

    SecretException refusal =
        assertThrows(SecretException.class, () -> other.unseal(sealed, "here"));

    String id = KeyRing.of(List.of(OLD)).activeId();
    assertEquals(
        "it is sealed under key " + id + ", which this node does not have", refusal.getMessage());
  }

  @Test
  void anOlderKeyOfTheRingOpensAndTheFirstSeals() {
    String sealed = sealer.seal("text", "here");
    Sealer both = new Sealer(KeyRing.of(List.of(NEW, OLD)));

    assertEquals("text", both.unseal(sealed, "here"));
    assertFalse(both.isCurrent(sealed));
    assertTrue(both.isCurrent(both.seal("text", "here")));
  }
}
