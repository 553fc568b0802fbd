package carillon.store.job;

/**
 * Refusal of a change, because the job is no longer as its writer read it. A client changed it in
 * the meantime, or an occurrence began or ended. Nothing was written. Read the {@link
 * JobReader#version} again, and compute the change again.
 */
public final class MovedJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MovedJobException() {
    super("the job was changed or went on in the meantime", null, false, false);
  }
}
