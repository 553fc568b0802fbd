package carillon.embedded;

/** When Redis forces its append-only file to the disk: what a power failure can cost. */
public enum Fsync {
  /** Once a second. A crash of Redis or Carillon loses nothing, a power failure about a second. */
  EVERYSEC("everysec"),
  /** Before every answer. A power failure loses nothing that was acknowledged. */
  ALWAYS("always");

  private final String directive;

  Fsync(String directive) {
    this.directive = directive;
  }

  String directive() {
    return directive;
  }
}
