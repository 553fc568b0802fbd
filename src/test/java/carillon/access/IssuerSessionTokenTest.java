package carillon.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerSessionTokenTest {
  private static final String ISSUER = "https://login.example.org";

  private static IssuerSessionToken of(String name, String... words) {
    return IssuerSessionToken.random(ISSUER, "subject", name, List.of(words));
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    IssuerSessionToken made = of("Ada Löw, 'admin'", "two words", "crew=ä");

    IssuerSessionToken read = IssuerSessionToken.parse(made.reveal()).orElseThrow();

    assertEquals("Ada Löw, 'admin'", read.name());
    assertEquals(List.of("two words", "crew=ä"), read.words());
    assertEquals(made.person(), read.person());
    assertEquals(made.hash(ISSUER, "c"), read.hash(ISSUER, "c"));
    assertEquals(List.of(), IssuerSessionToken.parse(of("x").reveal()).orElseThrow().words());
  }

  @Test
  void theHashIsOfEverythingAndTheClient() {
    IssuerSessionToken one = of("ada", "reader");
    String[] parts = one.reveal().split("\\.", -1);
    String otherClaims = of("ada", "admin").reveal().split("\\.", -1)[2];
    IssuerSessionToken changed =
        IssuerSessionToken.parse(parts[0] + "." + parts[1] + "." + otherClaims).orElseThrow();

    assertNotEquals(one.hash(ISSUER, "c"), changed.hash(ISSUER, "c"));
    assertNotEquals(one.hash(ISSUER, "c"), one.hash(ISSUER, "d"));
    assertNotEquals(one.hash(ISSUER, "c"), one.hash("https://other.example", "c"));
    assertNotEquals(one.hash(ISSUER, "c"), of("ada", "reader").hash(ISSUER, "c"));
    assertFalse(one.toString().contains(parts[1]), one.toString());
  }

  @Test
  void aPersonIsOfOneIssuer() {
    assertEquals(of("ada").person(), of("renamed").person());
    assertNotEquals(
        of("ada").person(),
        IssuerSessionToken.random("https://other.example", "subject", "ada", List.of()).person());
  }

  /** Otherwise a word could count as two. */
  @Test
  void aWordOfTwoLinesIsLeftOut() {
    assertEquals(List.of("reader"), of("ada", "x\nadmin", "reader").words());
  }

  @Test
  void moreThanACookieHoldsIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> of("ada", "w".repeat(3000)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~", "admin.secret", "no session"})
  void whatIsNoSessionIsNotRead(String text) {
    assertEquals(Optional.empty(), IssuerSessionToken.parse(text));
  }

  @Test
  void claimsThatAreNotBase64AreNotRead() {
    assertEquals(
        Optional.empty(),
        IssuerSessionToken.parse(of("ada").reveal().replaceAll("\\.[^.]*$", ".A")));
  }
}
