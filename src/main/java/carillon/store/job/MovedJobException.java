package carillon.store.job;

/**
 * Refusal of a change, of which nothing is done, because the job is no longer as its writer read
 * it: a client changed it meanwhile, or an occurrence of it was begun or ended. Ask for its {@link
 * JobReader#version} again, and compute the change anew.
 */
public final class MovedJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MovedJobException() {
    super("the job was changed or went on meanwhile", null, false, false);
  }
}
