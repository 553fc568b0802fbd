// What of a collection is in flight now, by job.

import { html } from './lit-html.js';
import { get } from './api.js';
import { counted, inFull, span } from './format.js';
import { badge } from './ui.js';

const MOST = 100;

/** Attempts by the name of their job in lower case, the oldest first; of one job where job is given. Nothing where they may not be read. */
export async function running(collectionPath, job) {
  const asked = new URLSearchParams({ state: 'running', $top: MOST, ...(job ? { job } : {}) });
  const { value } = await get(`${collectionPath}/executions?${asked}`).catch(() => ({ value: [] }));
  const found = new Map();
  for (const one of value) found.set(one.job, [...found.get(one.job) ?? [], one]);
  return found;
}

/** "running 5 s" of the attempts of a job; they are some. */
export const runningBadge = ([oldest, ...others]) => html`<span title="since ${inFull(oldest.startTime)}, on ${oldest.node}${others.length > 0 ? `; ${counted(others.length + 1, 'attempt')}` : ''}">${
  badge(`${others.length > 0 ? `${others.length + 1} ` : ''}running ${span(Math.max(0, Date.now() - Date.parse(oldest.startTime)))}`, 'info')}</span>`;
