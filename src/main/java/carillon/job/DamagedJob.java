package carillon.job;

/**
 * A job whose stored form cannot be read, as a list tells of it.
 *
 * @param name of the job
 * @param reason why it cannot be read
 */
public record DamagedJob(JobName name, String reason) {}
