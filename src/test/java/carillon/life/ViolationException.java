package carillon.life;

/** Violation of a rule. */
final class ViolationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Rule rule;

  ViolationException(Rule rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
  }

  Rule rule() {
    return rule;
  }
}
