// Executions that failed for good, a row for each cause, which opens to its jobs; and the way to run those again.

import { html, nothing } from './lit-html.js';
import { call, get, open } from './api.js';
import { performOn } from './bulk.js';
import { counted, moment, number } from './format.js';
import { empty } from './parts.js';
import { jobLink, link, placeOf } from './place.js';
import { polling } from './refresh.js';
import { code } from './runs.js';
import { may } from './session.js';
import { sorting } from './sort.js';
import { failed as refused } from './toast.js';
import { badge, button, lookback, problem, skeleton, time } from './ui.js';

const EVERY = 10_000;
const SOON = 1500;
const FEW = 20; // jobs of each cause that come with the page
const MOST = 5000; // jobs of one cause
const SHOWN = 200; // jobs of an open cause, and as many more each time
const NAMED = 2;
const NEWEST = 10;
const FIELDS = ['collection', 'destination', 'code', 'since', 'message'];

const key = one => [one.subscription, one.group, one.collection, one.job].join('/');
const where = one => [one.subscription, one.group];
const scope = one => `${where(one).join('/')}/${one.collection}`;
const shown = one => `${where(one).join('/') === 'default/default' ? '' : `${where(one).join('/')}/`}${one.collection}/${one.job}`;
const path = one => placeOf(where(one)).jobPath(one.collection, one.job);
const isFailing = one => one.state === 'failing';
const isMine = one => isFailing(one) && may('operator', scope(one));

/**
 * Whether the newest attempt of a job failed still; fails when the job is gone. The success of an error action is none of its
 * job, and a skipped occurrence is no attempt: the server's since_failure decides alike.
 */
async function stillFails(one) {
  const { value } = await get(`${path(one)}/history?$top=${NEWEST}`);
  if (value.length === 0) throw new Error('is deleted, and was left out');
  return value.find(entry => entry.status !== 'skipped' && entry.actionName !== 'ErrorAction')?.status !== 'completed';
}

/** A finished job is retried; one that goes on runs once more, now. What has succeeded since, or is about to run, is not called twice; what somebody disabled stays. The command executions retry decides alike. */
async function again(one) {
  if (!await stillFails(one)) throw new Error('has succeeded since, and was left out');
  const answer = await open('GET', path(one));
  const { state, recurrence, status, pause } = await answer.json();
  if (state === 'disabled' && pause?.reason !== 'failures') throw new Error('is disabled, and was left out');
  if (['completed', 'faulted'].includes(state)) {
    await call('POST', `${path(one)}/retry`, undefined, { headers: { 'If-Match': answer.headers.get('ETag') } }); // a run begun in the meantime changed it
    return;
  }
  const next = status?.nextExecutionTime;
  if (state === 'enabled' && !recurrence && (!next || Date.parse(next) <= Date.now())) throw new Error('runs already, and was left out');
  await call('POST', `${path(one)}/run`);
}

export function failed({ update, query }) {
  const filter = Object.fromEntries(FIELDS.map(name => [name, query.get(name) ?? '']));
  let answer, typing, showsRecovered = false;
  const opened = new Map(); // how many jobs are shown, by the id of a cause
  const whole = new Map(); // all jobs of causes that have more than FEW
  const selected = new Map(), retried = new Map();
  const order = sorting({ jobs: one => one.failingJobCount, executions: one => one.executionCount, first: one => Date.parse(one.firstTime), last: one => Date.parse(one.lastTime) },
    '', () => answer.causeCount === answer.value.length, update);

  function asked(more) {
    const all = new URLSearchParams(more);
    for (const name of FIELDS) {
      if (filter[name] !== '') all.set(name, name === 'since' ? new Date(Date.now() - filter.since * 60_000).toISOString() : filter[name]);
    }
    return `/executions/causes?${all}`;
  }

  const jobsOf = id => get(asked({ cause: id, jobs: MOST })).then(({ value }) => value[0]?.jobs ?? []);

  /** One request for all causes, and one more for each large one that is open. */
  async function ask() {
    const large = [...whole.keys()].filter(id => opened.has(id));
    const [found, ...jobs] = await Promise.all([get(asked({ jobs: FEW })), ...large.map(jobsOf)]);
    return { found, jobs: new Map(large.map((id, i) => [id, jobs[i]])) };
  }

  const poll = polling(ask, ({ found, jobs }) => {
    answer = found;
    whole.clear(); // what is not open is not asked for again
    jobs.forEach((all, id) => whole.set(id, all));
  }, EVERY, update);

  const known = one => whole.get(one.id) ?? one.jobs;

  async function all(one) {
    if (known(one).length < one.jobCount) whole.set(one.id, await jobsOf(one.id));
    return known(one);
  }

  async function toggle(one) {
    if (opened.delete(one.id)) {
      whole.delete(one.id);
      update();
      return;
    }
    opened.set(one.id, SHOWN);
    update();
    await all(one).catch(refused);
    update();
  }

  const narrow = name => event => {
    filter[name] = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const said = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
      history.replaceState(undefined, '', link(`/failed${said.size > 0 ? `?${said}` : ''}`));
      answer = undefined;
      whole.clear();
      selected.clear();
      update();
      poll.load();
    }, 250);
  };

  async function retry(jobs) {
    const items = jobs.map(one => ({ name: shown(one), send: async () => { await again(one); retried.set(key(one), new Date().toISOString()); } }));
    const about = html`<p class="quiet">Finished jobs are retried and keep counters and history. Other jobs run once more, now. Disabled jobs are left out.</p>`;
    if (!await performOn({ verb: 'Retry', done: 'retried' }, items, about)) return;
    selected.clear();
    await poll.load();
    setTimeout(() => { if (!poll.isClosed) poll.load(); }, SOON); // what was started has often ended by then
  }

  const retryAll = one => all(one).then(jobs => retry(jobs.filter(isMine)), refused);

  const isChosen = one => selected.has(key(one));
  const choose = (one, isOn) => isOn ? selected.set(key(one), one) : selected.delete(key(one));

  /** Selects all jobs of some causes, or none where all are. */
  async function chooseAll(causes) {
    try {
      const jobs = (await Promise.all(causes.map(all))).flat().filter(isMine);
      const isOn = !jobs.every(isChosen);
      jobs.forEach(one => choose(one, isOn));
    } catch (failure) {
      refused(failure);
    }
    update();
  }

  const box = (label, jobs, act) => jobs.length === 0 ? nothing
    : html`<input type="checkbox" aria-label=${label} .checked=${jobs.every(isChosen)} @change=${act}>`;
  const runsOf = one => link(`/runs?${new URLSearchParams({ state: 'failed', collection: scope(one), job: one.job })}`);
  const nameOf = one => html`<a class="row" href=${jobLink(one.collection, one.job, where(one))}>${shown(one)}</a>`;

  const how = one => isFailing(one) ? retried.has(key(one)) ? badge(`retried ${moment(retried.get(key(one))).slice(11)}`, 'info') : nothing
    : badge(one.state === 'gone' ? 'deleted' : 'succeeded since', one.state === 'gone' ? 'quiet' : 'good');

  const visible = jobs => showsRecovered ? jobs : jobs.filter(isFailing);

  const cause = one => {
    const jobs = visible(known(one)), mine = jobs.filter(isMine), isOpen = opened.has(one.id), count = showsRecovered ? one.jobCount : one.failingJobCount;
    return html`
      <tr class="cause ${isOpen ? 'open' : ''}">
        <td class="check">${box(`Select the jobs of ${one.message}`, mine, () => chooseAll([one]))}</td>
        <td class="words"><button type="button" class="link row" aria-expanded=${isOpen} @click=${() => toggle(one)}>${one.message || 'An empty answer'}</button>
          <div class="quiet">${one.destination ? html`<a class="quiet" href=${link(`/failed?${new URLSearchParams({ destination: one.destination })}`)}>${one.destination}</a>` : '–'}</div></td>
        <td>${code({ ...one, error: one.errorCode && { code: one.errorCode } })}</td>
        <td class="name">${count === 1 && jobs.length > 0 ? html`${nameOf(jobs[0])} ${how(jobs[0])}` : html`<strong>${counted(count, 'job')}</strong>
          <div class="quiet">${jobs.slice(0, NAMED).map(shown).join(', ')}${count > NAMED ? ' …' : ''}</div>`}</td>
        <td class="num" data-label="failed">${number(one.executionCount)}${answer.truncated ? '+' : ''}</td>
        <td data-label="first">${time(one.firstTime)}</td>
        <td data-label="last">${time(one.lastTime)}</td>
        <td class="actions">${mine.length > 0 ? button(one.failingJobCount === 1 ? 'Retry' : `Retry ${counted(one.failingJobCount, 'job')}`, () => retryAll(one), 'small') : nothing}</td></tr>
      ${isOpen ? html`${jobs.slice(0, opened.get(one.id)).map(member)}
        ${jobs.length > opened.get(one.id) ? html`<tr class="member"><td></td><td colspan="7">${button(`Show more of ${counted(jobs.length, 'job')}`, () => { opened.set(one.id, opened.get(one.id) + SHOWN); update(); }, 'small')}</td></tr>` : nothing}` : nothing}`;
  };

  const member = one => html`
    <tr class="member ${isChosen(one) ? 'selected' : ''}">
      <td class="check">${isMine(one) ? box(`Select ${shown(one)}`, [one], () => { choose(one, !isChosen(one)); update(); }) : nothing}</td>
      <td class="name" colspan="3">${nameOf(one)} ${how(one)}<div class="quiet" title=${one.message}>${one.message}</div></td>
      <td class="num" data-label="failed"><a href=${runsOf(one)}>${number(one.executionCount)}</a></td>
      <td class="spare"></td>
      <td data-label="last">${time(one.lastTime)}</td>
      <td class="actions">${isMine(one) ? button('Retry', () => retry([one]), 'small') : nothing}</td></tr>`;

  /** How many jobs are over, and the way to see them. */
  const leftOut = over => over === 0 ? nothing : html`
    <p class="caption">${counted(over, 'further job')} ${over === 1 ? 'has' : 'have'} succeeded since, or ${over === 1 ? 'is' : 'are'} deleted.
      ${button(showsRecovered ? 'Hide' : 'Show', () => { showsRecovered = !showsRecovered; update(); }, 'link')}</p>`;

  function table() {
    const sum = property => answer.value.reduce((all, one) => all + one[property], 0);
    const causes = answer.value.filter(one => showsRecovered || one.failingJobCount > 0), over = sum('jobCount') - sum('failingJobCount');
    if (causes.length === 0) return html`<section class="card teach"><h2>Nothing fails now</h2>${leftOut(over)}</section>${bounds()}`;
    return html`
      ${leftOut(over)}
      ${selected.size === 0 ? nothing : html`
        <div class="selection" role="region" aria-label="Selection"><strong>${counted(selected.size, 'job')} selected</strong>
          ${button(`Retry ${counted(selected.size, 'job')}`, () => retry([...selected.values()]), 'primary')}<span class="grow"></span>
          ${button('Clear', () => { selected.clear(); update(); }, 'plain')}</div>`}
      ${order.note()}
      <div class="card scroll"><table class="jobs failed">
        <thead><tr><th scope="col" class="check">${box('Select all shown', causes.flatMap(known).filter(isMine), () => chooseAll(causes))}</th>
          <th scope="col">Cause</th><th scope="col">Code</th>${order.header('jobs', 'Jobs', { first: '-jobs' })}
          ${order.header('executions', 'Failed', { first: '-executions', classes: 'num', by: 'failures' })}${order.header('first', 'First')}${order.header('last', 'Last', { first: '-last' })}<th scope="col"><span class="sr">Actions</span></th></tr></thead>
        <tbody>${order.sorted(causes).map(cause)}</tbody>
      </table></div>
      <p class="caption">${counted(sum('failingJobCount'), 'job fails', 'jobs fail')}, for ${counted(answer.value.filter(one => one.failingJobCount > 0).length, 'cause')}. Answers that differ only in ids and numbers are one cause; … replaces these.</p>
      ${bounds()}`;
  }

  /** What the answer leaves out. */
  const bounds = () => html`
    ${answer.truncated ? html`<p class="caption">Only the newest ${counted(answer.executionCount, 'failure')} were looked at; a shorter time or another filter shows others.</p>` : nothing}
    ${answer.causeCount > answer.value.length ? html`<p class="caption">${counted(answer.causeCount - answer.value.length, 'further cause')} ${answer.causeCount - answer.value.length === 1 ? 'is' : 'are'} not listed; a filter shows them.</p>` : nothing}`;

  const field = (name, text) => html`<input type="search" aria-label=${text} placeholder=${text} .value=${filter[name]} @input=${narrow(name)} autocomplete="off" spellcheck="false">`;
  const isFiltered = () => FIELDS.some(name => filter[name] !== '');

  return {
    title: 'Failed',
    close() {
      poll.close();
      clearTimeout(typing);
    },
    view: () => html`
      <div class="head"><h1>Failed</h1></div>
      <p class="caption">Jobs whose last attempt for an execution failed, and that have not succeeded since, by cause. Failures that another attempt follows are among the <a href=${link('/runs?state=retrying')}>runs</a>.</p>
      <div class="toolbar" role="search">
        ${lookback(filter.since, narrow('since'))}
        ${field('collection', 'Collection')}${field('destination', 'Host and port')}${field('code', 'Code, as 503 or 5xx')}${field('message', 'Part of the answer')}</div>
      ${problem(poll.failure)}
      ${answer ? answer.value.length > 0 ? table()
        : isFiltered() ? html`<section class="card teach"><h2>Nothing of this kind failed</h2><p><a href=${link('/failed')}>Everything that failed</a></p></section>${bounds()}`
        : empty('Nothing has failed', 'An execution whose last attempt fails is listed here, with the code and the answer, and can be tried again. The same as a list:', [`curl -H "Authorization: Bearer $CARILLON_KEY" '${location.origin}/executions/causes'`])
        : poll.failure ? nothing : skeleton()}`,
  };
}
