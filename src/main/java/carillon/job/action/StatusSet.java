package carillon.job.action;

import java.util.List;

/**
 * Set of HTTP statuses, as a client gives it.
 *
 * @param entries single statuses ({@code 404}) and classes of them ({@code 4xx})
 */
public record StatusSet(List<String> entries) {
  /** No status. */
  public static final StatusSet NONE = new StatusSet(List.of());

  /** Default set of successful statuses. */
  public static final StatusSet SUCCESS = new StatusSet(List.of("2xx"));

  public StatusSet {
    entries = List.copyOf(entries);
  }

  /** Whether the set contains a status. */
  public boolean contains(int status) {
    return covers(Integer.toString(status));
  }

  /** Whether the set contains all statuses of an entry. */
  public boolean covers(String entry) {
    return entries.contains(entry) || entries.contains(entry.charAt(0) + "xx");
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }
}
