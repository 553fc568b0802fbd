// What of a job can be PUT again: without what the scheduler adds.

/** The definition of a job that was answered. Secrets are not answered: *** keeps the stored one, and so does what is missing. */
export function definition(job) {
  const { id, status, state, pause, waits, ...rest } = job;
  return state === 'disabled' ? { ...rest, state } : rest;
}
