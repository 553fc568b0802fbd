package carillon.job;

/**
 * A call and what follows when it fails.
 *
 * @param call what is performed
 * @param retryPolicy for this call
 */
public record Action(Call call, RetryPolicy retryPolicy) {}
