package carillon.store.attempt;

/**
 * The removal of a finished job, as it stands in {@code purges}.
 *
 * @param job key of the job
 * @param due epoch ms; that of another end of the same job is another
 */
public record Purge(String job, long due) {}
