// What of a job waits beside its schedule: a retry, or a run that its flow holds back.

import { get } from './api.js';
import { millis } from './inputs.js';
import { may } from './session.js';

const OVERDUE = 2000;
const NEXT = 100; // of what is due, all jobs together
const BY_DEFAULT = { none: { retryType: 'fixed', retryCount: 4, retryInterval: 'PT30S' }, some: { retryCount: 5, retryInterval: 'PT1M' } };

/** The flow for the host of an action: the host itself before a wildcard, a longer pattern before a shorter one. */
function flowOf(action, flows) {
  if (!action.request) return undefined;
  const { hostname, port, protocol } = new URL(action.request.uri);
  const whole = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const fits = pattern => [hostname, whole].some(host => pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern);
  const rank = pattern => (pattern.startsWith('*.') ? 0 : 1_000_000) + pattern.length;
  const found = flows.flatMap(flow => (flow.match ?? []).map(pattern => ({ name: flow.name, pattern: pattern.toLowerCase() }))).filter(({ pattern }) => fits(pattern));
  return found.sort((a, b) => rank(b.pattern) - rank(a.pattern))[0]?.name;
}

/** When the next attempt begins, where the pause is always the same; what is due says it of those that come soon. */
function retryAt({ retryType, retryInterval }, newest) {
  return retryType?.toLowerCase() === 'fixed' ? new Date(Date.parse(newest.endTime) + millis(retryInterval)).toISOString() : undefined;
}

/**
 * { retry: { number, of, at }, flow: { name } }, each where there is such a thing. job: as the API answers it; newest: the
 * newest entry of its history. Only those who may read everything see what is due.
 */
export async function pending(place, collection, job, newest) {
  const next = job.status?.nextExecutionTime;
  const isOverdue = job.state === 'enabled' && next && Date.now() - Date.parse(next) > OVERDUE;
  const mayRetry = newest?.status === 'failed' && newest.actionName !== 'ErrorAction';
  if (!isOverdue && !mayRetry) return {};
  const asked = new URLSearchParams({ state: 'retrying', collection: place.scope(collection), job: job.id, $top: 1 });
  const [log, due] = await Promise.all([
    mayRetry ? get(`/executions?${asked}`) : { value: [] },
    may('reader', '*') ? get(`/due?$top=${NEXT}`) : { value: [] }]);
  const own = due.value.filter(one => `${one.subscription}/${one.group}/${one.collection}/${one.job}`.toLowerCase() === `${place.scope(collection)}/${job.id}`.toLowerCase());
  const last = log.value[0];
  const isRetried = last && last.executionId === newest.executionId && last.attempt === newest.attempt;
  const policy = job.action.retryPolicy ? { ...BY_DEFAULT.some, ...job.action.retryPolicy } : BY_DEFAULT.none;
  return {
    retry: isRetried ? { number: newest.retryCount + 1, of: policy.retryCount, at: own.find(one => one.kind === 'retry')?.due ?? retryAt(policy, newest) } : undefined,
    flow: own.some(one => one.kind === 'waiting') ? { name: await flow(place, job.action) } : undefined,
  };
}

async function flow(place, action) {
  if (action.flow) return action.flow;
  const { value } = await get(`${place.flowBase}?$top=100`);
  return flowOf(action, value);
}
