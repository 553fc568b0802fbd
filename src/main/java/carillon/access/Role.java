package carillon.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Role of a caller; each may do all that the ones before it may. */
public enum Role {
  /** Reads jobs, collections and histories. */
  READER,
  /** Runs, enables and disables existing jobs. */
  OPERATOR,
  /** Creates, changes and deletes jobs; with a scope of a group or wider, collections too. */
  WRITER,
  /** Makes API keys if its scope is everything; otherwise no more than a writer. */
  ADMIN;

  /** Whether this role includes all rights of the other. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /** The word for the role: its name in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The role of this name, in any case.
   *
   * @throws IllegalArgumentException whose message is the rule
   */
  public static Role of(String word) {
    return Arrays.stream(values())
        .filter(role -> role.word().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a role must be "
                        + Arrays.stream(values())
                            .map(Role::word)
                            .collect(Collectors.joining(", "))));
  }
}
