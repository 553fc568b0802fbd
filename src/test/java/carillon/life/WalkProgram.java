package carillon.life;

import java.util.Optional;

/** One theme from one seed on, in a process of its own: prints what was found. */
final class WalkProgram {
  private WalkProgram() {}

  /**
   * Exit code 0 when nothing was found.
   *
   * @param args theme, first seed, steps
   */
  public static void main(String[] args) {
    try (Walker walker = new Walker()) {
      Theme theme = Theme.valueOf(args[0]);
      long steps = Long.parseLong(args[2]);
      Optional<String> found = walker.walk(theme, Long.parseLong(args[1]), steps);
      System.out.println(found.orElse("nothing"));
      System.out.flush();
      Runtime.getRuntime().halt(found.isPresent() ? 1 : 0);
    }
  }
}
