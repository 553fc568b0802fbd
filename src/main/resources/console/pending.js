// What of a job waits beside its schedule: a retry, or a run that its flow holds back.

import { get } from './api.js';

const OVERDUE = 2000;

/** Whether the next occurrence of a job is past: something holds it back, or it runs. */
export const isOverdue = job => job.state === 'enabled' && Boolean(job.status?.nextExecutionTime) && Date.now() - Date.parse(job.status.nextExecutionTime) > OVERDUE;

/**
 * { retry: { number, of, at }, flow }, each where there is such a thing; flow: its name. path: of the job; job: as the API
 * answers it; newest: the newest entry of its history.
 */
export async function pending(path, job, newest) {
  const mayRetry = newest?.status === 'failed' && newest.actionName !== 'ErrorAction';
  if (!isOverdue(job) && !mayRetry) return {};
  const { value } = await get(`${path}/waiting`);
  const retry = value.find(one => one.attempt > 1 && one.maxAttempts);
  return {
    retry: retry && { number: retry.attempt - 1, of: retry.maxAttempts - 1, at: retry.kind === 'retry' ? retry.due : undefined },
    flow: value.find(one => one.flow)?.flow,
  };
}
