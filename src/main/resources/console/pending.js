// What of a job waits beside its schedule: a retry, or a run that its flow holds back.

import { get } from './api.js';

const OVERDUE = 2000;

/**
 * { retry: { number, of, at }, flow }, each where there is such a thing; flow: its name. path: of the job; job: as the API
 * answers it; newest: the newest entry of its history.
 */
export async function pending(path, job, newest) {
  const next = job.status?.nextExecutionTime;
  const isOverdue = job.state === 'enabled' && next && Date.now() - Date.parse(next) > OVERDUE;
  const mayRetry = newest?.status === 'failed' && newest.actionName !== 'ErrorAction';
  if (!isOverdue && !mayRetry) return {};
  const { value } = await get(`${path}/waiting`);
  const retry = value.find(one => one.attempt > 1 && one.maxAttempts);
  return {
    retry: retry && { number: retry.attempt - 1, of: retry.maxAttempts - 1, at: retry.kind === 'retry' ? retry.due : undefined },
    flow: value.find(one => one.flow)?.flow,
  };
}
