package carillon.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {
  private static Caller with(String... grants) {
    return new Caller(
        "i", Caller.AuthenticationMethod.KEY, "k", Stream.of(grants).map(Grant::parse).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reader          | reader   | s/g/c | true",
        "reader          | operator | s/g/c | false",
        "admin           | writer   | *     | true",
        "admin:s/*       | reader   | *     | false",
        "admin:s/*       | reader   | s/g/c | true",
        "admin:s/*       | reader   | s/*   | true",
        "admin:s/*       | reader   | t/g/c | false",
        "writer:S/G      | writer   | s/g/c | true",
        "writer:s/g      | writer   | s/g   | true",
        "writer:s/g      | writer   | s/*   | false",
        "writer:s/g/*    | writer   | s/g   | true",
        "writer:o        | writer   | o     | true",
        "writer:O        | writer   | default/default/o  | true",
        "writer:o        | writer   | s/g/o | false",
        "writer:o        | writer   | o-eu  | false",
        "writer:o        | reader   | o*    | false",
        "writer:o        | reader   | default/default | false",
        "writer:o-*      | writer   | o-eu  | true",
        "writer:o-*      | writer   | o-*   | true",
        "writer:o-*      | writer   | o-e*  | true",
        "writer:o-*      | reader   | o     | false",
        "writer:o-*      | reader   | o*    | false",
        "writer:o-*      | reader   | default/default | false",
        "writer:o*       | reader   | o     | true",
        "writer:s/g/o-*  | writer   | s/g/o-eu | true",
        "writer:s/g/o-*  | reader   | o-eu  | false",
        "writer:s/g/c    | writer   | s/g/c | true",
        "writer:s/g/c    | reader   | s/g/d | false",
        "writer:s/g/c    | reader   | s/h/c | false",
        "writer:s/g/c    | reader   | t/g/c | false",
      })
  void aGrantAllowsItsRoleAndLowerOnesWithinItsScope(
      String grant, String role, String scope, boolean allowed) {
    assertEquals(allowed, with(grant).may(Role.of(role), Scope.parse(scope)));
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN,'',token:operator",
    "CERTIFICATE,'',cert:operator",
    "KEY,key-1,operator",
    "SESSION,key-1,operator",
    "SESSION,'',token:operator"
  })
  void aNameThatOthersGaveIsToldApartFromThatOfAKey(
      Caller.AuthenticationMethod method, String key, String label) {
    assertEquals(label, new Caller("operator", method, key, List.of()).label());
  }

  @Test
  void whatIsVisibleIsInTheOrderOfNamesWithoutRepetition() {
    Caller caller =
        with(
            "reader:s/g/b",
            "reader:s/g",
            "writer:s/g-a/z",
            "reader:s/a/b",
            "reader:s/a/b",
            "operator:s/a/b-*",
            "operator:s/a/b-x",
            "reader:t/g",
            "reader:s/g/a");

    assertEquals(
        List.of("s/a/b", "s/a/b-*", "s/g-a/z", "s/g"),
        caller.visible(Scope.subscription("S")).stream().map(Scope::text).toList());
    assertEquals(List.of(Scope.group("s", "g")), caller.visible(Scope.group("s", "g")));
    assertEquals(List.of(), caller.visible(Scope.subscription("u")));
    assertEquals(List.of(Scope.subscription("s")), with("reader").visible(Scope.subscription("s")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "s/", "/g", "s//c", "s/g/c/j", "s g", "../x", "*/*", "s/*/c", "s/g*", "o**", "*o", "-*",
        "é"
      })
  void whatIsNoScopeIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Scope.parse(text));
    assertThrows(IllegalArgumentException.class, () -> Grant.parse("reader:" + text));
  }

  @Test
  void whatIsNoRoleIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Grant.parse("owner"));
    assertEquals("reader:s/g/c", Grant.parse("Reader:S/G/C").text());
    assertEquals("admin:*", Grant.parse("admin").text());
    assertEquals("reader:o-*", Grant.parse("reader:Default/default/O-*").text());
    assertEquals("reader:default/default", Grant.parse("reader:default/default/*").text());
    assertEquals("reader:s/*", Grant.parse("reader:S/*").text());
  }

  @Test
  void aKeyKnowsItsHashAndHidesItself() {
    ApiKeyToken key = ApiKeyToken.random();
    ApiKeyToken again = ApiKeyToken.parse(key.reveal()).orElseThrow();

    assertTrue(again.has(key.hash()));
    assertEquals(64, key.hash().length());
    assertFalse(ApiKeyToken.random().has(key.hash()));
    assertFalse(key.toString().contains(key.reveal().substring(16)));
    assertFalse(key.isWeak());
    assertTrue(ApiKeyToken.parse("ck_a_" + "ab".repeat(20)).orElseThrow().isWeak());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ck_",
        "ck_a_",
        "ck_a_short",
        "ck_A_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "xk_a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ck_a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaa",
        "ck__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void whatIsNoKeyIsNotRead(String text) {
    assertTrue(ApiKeyToken.parse(text).isEmpty());
  }
}
