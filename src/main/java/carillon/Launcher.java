package carillon;

import java.lang.reflect.InvocationTargetException;

/**
 * Entry of the jar: starts {@code Main}, or says in one line that this Java is too old. It is
 * compiled for Java 8, which could not load {@code Main}; so it uses nothing newer.
 */
public final class Launcher {
  private static final int OLDEST = 17;

  private Launcher() {}

  /** Runs the command line. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    String refusal =
        refusal(System.getProperty("java.specification.version"), System.getProperty("java.home"));
    if (!refusal.isEmpty()) {
      System.err.println(refusal);
      System.exit(1);
    }
    try {
      Class.forName("carillon.Main")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw rethrown(e.getCause());
    }
  }

  /** Why it cannot run on a Java, in one line; empty when it can. */
  static String refusal(String specification, String home) {
    // 8 calls itself 1.8.
    int java =
        Integer.parseInt(
            specification.startsWith("1.") ? specification.substring(2) : specification);
    return java >= OLDEST
        ? ""
        : "carillon: needs Java " + OLDEST + " or newer; this is Java " + java + " in " + home;
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    return failure instanceof RuntimeException
        ? (RuntimeException) failure
        : new IllegalStateException(failure);
  }
}
