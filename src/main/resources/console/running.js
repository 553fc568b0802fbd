// What of a collection is in flight now, by job.

import { html } from './lit-html.js';
import { get, local } from './api.js';
import { counted, inFull, span } from './format.js';
import { badge } from './ui.js';

const MOST = 100, PAGES = 5;

/** Attempts, some hundreds at most, by the name of their job in lower case, the oldest first; of one job where job is given. Nothing where they may not be read. */
export async function running(collectionPath, job) {
  const asked = new URLSearchParams({ state: 'running', $top: MOST, ...(job ? { job } : {}) });
  const found = new Map();
  let from = `${collectionPath}/executions?${asked}`;
  for (let pages = 0; from && pages < PAGES; pages++) {
    const page = await get(from).catch(() => ({ value: [] }));
    for (const one of page.value) found.set(one.job, [...found.get(one.job) ?? [], one]);
    from = page.nextLink && local(page.nextLink);
  }
  return found;
}

/** "running 5 s" of the attempts of a job; they are some. */
export const runningBadge = ([oldest, ...others]) => html`<span title="since ${inFull(oldest.startTime)}, on ${oldest.node}${others.length > 0 ? `; ${counted(others.length + 1, 'attempt')}` : ''}">${
  badge(`${others.length > 0 ? `${others.length + 1} ` : ''}running ${span(Math.max(0, Date.now() - Date.parse(oldest.startTime)))}`, 'info')}</span>`;
