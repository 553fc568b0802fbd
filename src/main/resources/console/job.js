// One job: what it does and when, how it is, what has become of it.

import { html, nothing } from './lit-html.js';
import { ACTIONS, AUTHENTICATIONS } from './actions.js';
import { call, get, local } from './api.js';
import { perform } from './bulk.js';
import { timeline } from './charts.js';
import { curl } from './curl.js';
import { definition } from './definition.js';
import { counted, number, span, target } from './format.js';
import { json } from './json.js';
import { labels } from './labels.js';
import { byDay, ifEnabled, wouldRun } from './outlook.js';
import { isOverdue, pending } from './pending.js';
import { refreshing } from './refresh.js';
import { running, runningBadge } from './running.js';
import { may } from './session.js';
import { code } from './runs.js';
import { range } from './sort.js';
import { failed, toast } from './toast.js';
import { badge, button, card, copy, exactly, gist, groupCrumb, health, messageCell, occurrences, outcome, problem, skeleton, state, time, upcoming } from './ui.js';
import { waiting } from './waits.js';

const EVERY = 3000;
const SOON = 600;
const PAGE = 100;
const SHOWN = 4096; // characters of a body
const MOST_COUNTED = 10_000; // occurrences that one entry stands for

const TOLD = { run: 'Started.', retry: 'Started again.', enable: 'Enabled.' };

export function job({ update, place, parts: [collection, name] }) {
  const path = place.jobPath(collection, name), collectionLink = place.collectionLink(collection);
  let found, outlook, would, waits = {}, inFlight = [], entries, nextLink, failure, chosen, tab = 'response', filter = '', withMarks = false, isClosed = false, lookups = 0, newestLookup = 0;
  const refresh = refreshing(load), previewed = ifEnabled(place.scope(collection));

  async function load() {
    refresh.stop();
    try {
      const [job, occurrences, page] = await Promise.all([
        get(path), get(`${path}/occurrences?$top=10`), get(historyPath())]);
      found = job;
      outlook = occurrences;
      if (job.state === 'disabled') previewed(job).then(answer => { would = answer; if (!isClosed) update(); });
      if (!entries || entries.length <= PAGE) { entries = page.value; nextLink = page.nextLink; }
      failure = undefined;
      lookBeside(page.value.find(one => one.status !== 'marked'));
    } catch (refused) {
      failure = refused;
      if (refused.status === 404) found = undefined;
    }
    if (isClosed) return;
    update();
    refresh.soon(EVERY);
  }

  /** What waits and what runs, beside the rest, which does not wait for it. newest: of the history, unless that is filtered. */
  async function lookBeside(newest) {
    const mine = ++lookups;
    const [known, attempts] = await Promise.all([
      filter === '' ? pending(path, found, newest).catch(() => ({})) : waits, // what may not be read is not shown
      running(place.collectionPath(collection), name)]);
    if (isClosed || mine < newestLookup) return;
    newestLookup = mine;
    waits = known;
    inFlight = [...attempts.values()].flat();
    update();
  }

  const historyPath = () => `${path}/history?$top=${PAGE}${filter ? `&$filter=${encodeURIComponent(`status eq '${filter}'`)}` : ''}${withMarks ? '&marks=true' : ''}`;

  async function more() {
    const page = await get(local(nextLink));
    entries = [...entries, ...page.value];
    nextLink = page.nextLink;
    update();
  }

  async function act(what) {
    try {
      const answer = await call('POST', `${path}/${what}`);
      toast(answer?.waits ? html`Accepted as execution ${answer.executionId}. It waits: ${waiting(answer.waits)}.` : TOLD[what], { undo: what === 'enable' ? rest(found.pause) : undefined, about: [path] });
    } catch (refused) {
      failed(refused);
    }
    await load();
    if (isClosed) return;
    refresh.soon(SOON); // what was started has often ended by then
  }

  async function disable() {
    if (await perform('disable', place, collection, [name], new Map([[name, found]]), load)) await load();
  }

  /** Disables it again, as it was. */
  const rest = pause => async () => {
    await call('POST', `${path}/disable`, { note: pause?.note, until: pause?.until }).then(() => toast('Undone.'), failed);
    await load();
  };

  async function remove() {
    if (await perform('delete', place, collection, [name]) && !isClosed) location.hash = collectionLink;
  }

  function choose(id) { chosen = chosen === id ? undefined : id; update(); }
  function choosePhase(event) { filter = event.target.value; entries = undefined; load(); }
  function chooseMarks(event) { withMarks = event.target.checked; entries = undefined; load(); }

  const isOperator = may('operator', place.scope(collection)), isWriter = may('writer', place.scope(collection));
  const edition = `${place.jobLink(collection, name)}/edit`;

  load();
  return {
    title: name,
    close() {
      isClosed = true;
      refresh.stop();
    },
    keys(key) {
      if (key !== 'e' || !isWriter) return false;
      location.hash = edition;
      return true;
    },
    view: () => html`
      <div class="head"><h1>${groupCrumb(place)}<a href=${collectionLink} class="crumb">${collection}</a> ${found?.id ?? name}
          ${found ? html`${state(found.state)} ${inFlight.length > 0 ? runningBadge(inFlight) : health(found, filter ? undefined : entries?.[0]?.status, Boolean(waits.retry))}` : nothing}</h1>
        ${found ? html`<div class="actions">
          ${isOperator ? runButton() : nothing}
          ${isOperator && found.state === 'enabled' ? button('Disable', disable) : nothing}
          ${isOperator && found.state === 'disabled' ? button('Enable', () => act('enable')) : nothing}
          ${isWriter ? html`<a class="button" href=${edition}>Edit</a>` : nothing}
          ${isWriter ? html`<a class="button" href="${collectionLink}/new?from=${encodeURIComponent(found.id)}">Duplicate</a>` : nothing}
          ${button('Copy as curl', event => copy(event, curl(path, found)))}
          ${isWriter ? button('Delete', remove, 'danger') : nothing}
        </div>` : isWriter && failure?.code === 'JobDamaged' ? html`<div class="actions">${button('Delete', remove, 'danger')}</div>` : nothing}</div>
      ${problem(failure)}
      ${!found ? failure ? nothing : html`${skeleton(5)}${skeleton(8)}` : html`
        ${found.description || found.labels ? html`<p class="about">${found.description ?? nothing} ${labels(found, collectionLink)}</p>` : nothing}
        <div class="columns wide">
          ${card('Schedule', schedule())}
          ${card('State', live())}
        </div>
        ${card('History', history(), historyFilter())}
        ${card('Definition', html`${byDefault(found.status?.defaults)}<pre class="json" tabindex="0" aria-label="Definition of the job">${json(definition(found))}</pre>`,
          button('Copy', event => copy(event, JSON.stringify(definition(found), null, 2)), 'small'))}`}`,
  };

  /** What applies because the definition leaves it out. */
  function byDefault(defaults) {
    if (!defaults) return nothing;
    const { action: { errorAction, ...own }, missed, overlap, priority } = defaults;
    const of = ({ retryPolicy, timeout, successOn }, whose = '') => [
      retryPolicy && [`${whose}retries`, `${number(retryPolicy.retryCount)}, each after ${retryPolicy.retryInterval}`],
      timeout && [`${whose}timeout`, timeout],
      successOn && [`${whose}success on`, successOn.join(', ')],
    ];
    const all = [...of(own), ...of(errorAction ?? {}, 'error action: '), missed && ['missed', missed.run], overlap && ['overlap', overlap], priority !== undefined && ['priority', number(priority)]].filter(Boolean);
    return all.length === 0 ? nothing : html`
      <p class="caption">Defaults apply to what the definition leaves out:</p>
      <dl class="facts defaults">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  function runButton() {
    const isFinished = ['completed', 'faulted'].includes(found.state);
    if (!isFinished) return button('Run now', () => act('run'), 'primary');
    return found.recurrence ? nothing : button('Retry', () => act('retry'), 'primary');
  }

  /** What is retried, or runs, is no occurrence to come. */
  function isUnderWay() { return isOverdue(found) && (Boolean(waits.retry) || inFlight.length > 0); }

  function schedule() {
    const isOver = isUnderWay() && outlook.occurrences.every(at => Date.parse(at) <= Date.now());
    const zone = found.timeZone ?? found.recurrence?.timeZone;
    return html`
      <p class="saying">${outlook.schedule}</p>
      ${found.waits ? html`<p class="hint">It waits: ${waiting(found.waits, place)}. ${found.recurrence ? 'Until then its occurrences are skipped, and its other attempts wait.' : nothing}</p>` : nothing}
      ${found.state === 'disabled' ? wouldRun(found, would, zone)
        : found.waits ? afterPause(zone)
        : isOver || outlook.occurrences.length === 0 ? html`<p class="quiet">No upcoming occurrences.</p>` : html`
        <div class="split">
          <div>${occurrences(outlook, zone)}</div>
          ${byDay(outlook)}
        </div>`}`;
  }

  /** The occurrences behind the end of the pause of the collection; those that the job would have without it, where no other is known. */
  function afterPause(zone) {
    const { occurrences: all, localTimes, pauses } = outlook, { until } = found.waits;
    const first = until ? all.findIndex(at => Date.parse(at) >= Date.parse(until)) : -1;
    if (first >= 0) return occurrences({ occurrences: all.slice(first), localTimes: localTimes?.slice(first), pauses }, zone);
    return !found.recurrence || all.length === 0 ? nothing : html`
      <p class="quiet">Without the pause it would run:</p>
      <div class="split would">
        <div>${occurrences({ ...outlook, pauses: undefined }, zone)}</div>
        ${byDay(outlook, 'would')}
      </div>`;
  }

  function live() {
    const status = found.status ?? {};
    return html`
      <dl class="facts">
        ${inFlight.map(one => html`<div><dt>running${one.attempt > 1 ? `, attempt ${number(one.attempt)}` : ''}</dt><dd>for ${span(Math.max(0, Date.now() - Date.parse(one.startTime)))} on ${one.node}</dd></div>`)}
        ${isUnderWay() || found.waits ? nothing : html`<div><dt>next</dt><dd>${upcoming(status.nextExecutionTime)}</dd></div>`}
        ${waits.retry ? html`<div><dt>retry ${number(waits.retry.number)} of ${number(waits.retry.of)}</dt><dd>${waits.retry.at ? upcoming(waits.retry.at) : 'to come'}</dd></div>` : nothing}
        ${found.waits ? html`<div><dt>waits</dt><dd>${waiting(found.waits, place)}</dd></div>` : nothing}
        ${waits.flow ? html`<div><dt>waits for</dt><dd><a href=${place.link(`/flows/${encodeURIComponent(waits.flow)}`)}>flow ${waits.flow}</a></dd></div>` : nothing}
        <div><dt>last</dt><dd>${time(status.lastExecutionTime)}</dd></div>
        <div><dt>executions</dt><dd>${number(status.executionCount ?? 0)}</dd></div>
        <div><dt>failed attempts</dt><dd>${number(status.failureCount ?? 0)}</dd></div>
        <div><dt>given up</dt><dd>${number(status.faultedCount ?? 0)}</dd></div>
        ${found.pause ? paused(found.pause) : nothing}
      </dl>
      <p class="target"><code>${target(found.action)}</code></p>`;
  }

  function paused({ since, by, note: why, until }) {
    return html`
      <div><dt>disabled since</dt><dd>${time(since)} by ${by}</dd></div>
      ${until ? html`<div><dt>until</dt><dd>${upcoming(until)}</dd></div>` : nothing}
      ${why ? html`<div><dt>because</dt><dd>${why}</dd></div>` : nothing}`;
  }

  function historyFilter() {
    return html`<div class="actions"><label class="tick"><input type="checkbox" .checked=${withMarks} @change=${chooseMarks}> changes</label>
      <select aria-label="Status" @change=${choosePhase}>
      ${[['', 'all'], ['completed', 'completed'], ['failed', 'failed'], ['skipped', 'skipped']].map(([word, text]) =>
        html`<option value=${word} ?selected=${filter === word}>${text}</option>`)}</select></div>`;
  }

  function history() {
    if (!entries) return html`<p class="quiet">Loading …</p>`;
    if (entries.length === 0) return html`<p class="quiet">${filter ? 'No such attempt.' : waits.flow ? 'It has not run yet: it is due, and its flow holds it back.' : `It has not run yet.${isOperator ? ' “Run now” does not wait for its schedule.' : ''}`}</p>`;
    const attempts = entries.filter(one => one.status !== 'marked').slice(0, 100);
    return html`
      ${attempts.length > 0 ? timeline(attempts, chosen, choose) : nothing}
      <div class="scroll"><table class="history">
        <thead><tr><th scope="col">Began</th><th scope="col">Status</th><th scope="col">Code</th><th scope="col" class="num">Took</th><th scope="col" class="num">Late</th>
          <th scope="col">Attempt</th><th scope="col">Message</th></tr></thead>
        <tbody>${entries.map(one => one.status === 'marked' ? mark(one) : entry(one))}</tbody>
      </table></div>
      ${nextLink ? html`<div class="pager"><span class="quiet">${range(0, entries.length)}</span>${button('More', more)}</div>` : nothing}`;
  }

  /** That somebody changed the job, and the schedule until then. */
  function mark(one) {
    return html`
      <tr>
        <td>${exactly(one.startTime)}</td>
        <td class="status">${badge('marked', 'quiet')}</td>
        ${messageCell(one.message, 5)}
      </tr>`;
  }

  function entry(one) {
    const isOpen = one.id === chosen;
    const late = new Date(one.startTime) - new Date(one.expectedExecutionTime);
    return html`
      <tr class=${isOpen ? 'selected' : ''}>
        <td><button type="button" class="link row" aria-expanded=${isOpen} @click=${() => choose(one.id)}>${exactly(one.startTime)}</button></td>
        <td class="status">${outcome(one.status)}</td>
        <td>${code(one)}</td>
        <td class="num" data-label="took">${span(new Date(one.endTime) - new Date(one.startTime))}</td>
        <td class="num" data-label="late">${one.retryCount > 0 || one.reason || one.status === 'skipped' ? '–' : span(Math.max(0, late))}</td>
        <td>${one.retryCount > 0 ? badge(`retry ${one.retryCount}`, 'quiet') : one.repeatCount === 0 ? badge('by hand', 'quiet') : `#${one.repeatCount}`}
          ${one.count > 1 ? badge(`${number(one.count)} occurrences`, 'quiet') : nothing}
          ${one.actionName === 'ErrorAction' ? badge('error action', 'warn') : nothing}</td>
        ${messageCell(gist(one))}
      </tr>
      ${isOpen ? html`<tr class="detail"><td colspan="7">
        <dl class="facts">
          <div><dt>due</dt><dd>${exactly(one.expectedExecutionTime)}</dd></div>
          <div><dt>ended</dt><dd>${exactly(one.endTime)}</dd></div>
          ${one.count > 1 ? html`<div><dt>stands for</dt><dd>${one.count === MOST_COUNTED ? 'at least ' : ''}${number(one.count)} occurrences, the last of ${exactly(one.to)}</dd></div>` : nothing}
          <div><dt>execution</dt><dd><code>${one.executionId || '–'}</code></dd></div>
        </dl>
        ${tabs(one)}</td></tr>` : nothing}`;
  }

  /** What came of an attempt, and what was asked, one beside the other. */
  function tabs(one) {
    const sent = request(one);
    const all = {
      response: ['Response', () => response(one)],
      ...(sent ? { request: ['Request', () => sent] } : {}),
      ...(action(one)?.request ? { headers: [`Headers (${Object.keys(one.headers ?? {}).length})`, () => answered(one)] } : {}),
    };
    const shown = all[tab] ? tab : 'response';
    const choose = name => { tab = name; update(); };
    return html`
      <div class="tabs" role="tablist" aria-label="Attempt" @keydown=${event => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const names = Object.keys(all);
        choose(names[(names.indexOf(shown) + by + names.length) % names.length]);
        queueMicrotask(() => queueMicrotask(() => document.querySelector('.tabs [aria-selected=true]')?.focus()));
      }}>${Object.entries(all).map(([word, [text]]) => html`<button type="button" role="tab" id="tab-${word}" aria-selected=${word === shown} aria-controls="tab-panel" tabindex=${word === shown ? 0 : -1} @click=${() => choose(word)}>${text}</button>`)}</div>
      <div role="tabpanel" id="tab-panel" aria-labelledby="tab-${shown}">${all[shown][1]()}</div>`;
  }

  /** What an attempt performed, as the job says now; undefined where nothing was performed. */
  function action(one) {
    return one.status === 'skipped' ? undefined : one.actionName === 'ErrorAction' ? found.action.errorAction : found.action;
  }

  function response(one) {
    if (one.body === undefined) return html`<pre tabindex="0" aria-label="Message">${one.error?.message ?? one.message}</pre>${button('Copy', event => copy(event, one.message), 'small')}`;
    const kept = new TextEncoder().encode(one.body).length;
    return html`
      <pre class="json" tabindex="0" aria-label="Body">${one.body === '' ? html`<span class="quiet">The answer was empty.</span>` : pretty(one.body)}</pre>
      <p class="actions">${button('Copy', event => copy(event, one.body), 'small')}
        <span class="quiet">${one.truncated ? `${number(kept)} of ${one.bytes === undefined ? 'more' : number(one.bytes)} bytes` : counted(kept, 'byte')}</span></p>`;
  }

  function headers(all) {
    return html`<dl class="headers">${Object.entries(all).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  /** Headers of the answer. */
  function answered(one) {
    return one.headers && Object.keys(one.headers).length > 0 ? headers(one.headers)
      : html`<p class="quiet">${one.statusCode === undefined ? 'There was no answer.' : 'No headers are kept of this answer.'}</p>`;
  }

  /** What was sent, as far as it is known: by the job as it is defined now, and by what the history says of the attempt. */
  function request(one) {
    const performed = action(one);
    const known = Object.values(ACTIONS).find(({ payload }) => performed?.[payload] !== undefined);
    if (!known) return undefined;
    return html`
      <p class="caption">The history keeps answers only. This is the action of the job <strong>now</strong>${performed.request ? ', with the headers that identify this attempt' : ''}; *** replaces secrets.</p>
      ${performed.request ? httpRequest(performed.request, one) : html`<pre class="json" tabindex="0" aria-label="Request">${json(performed[known.payload])}</pre>`}`;
  }

  function httpRequest({ method, uri, headers: sent, authentication, body }, one) {
    const own = one.executionId ? {
      'Idempotency-Key': `${one.executionId}${one.actionName === 'ErrorAction' ? '-error' : ''}`,
      'Carillon-Execution-Id': one.executionId,
      'Carillon-Job': found.id,
      'Carillon-Collection': collection,
      'Carillon-Attempt': String(one.retryCount + 1),
      'Carillon-Scheduled-At': one.expectedExecutionTime,
    } : {};
    return html`
      <pre tabindex="0" aria-label="Request">${method?.toUpperCase()} ${uri}</pre>
      ${headers({ ...sent, ...(authentication ? { Authentication: `${AUTHENTICATIONS[authentication.type]?.label ?? authentication.type} ***` } : {}), ...own })}
      ${body === undefined ? nothing : html`<pre class="json" tabindex="0" aria-label="Body of the request">${bounded(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}</pre>`}`;
  }

  function bounded(text) {
    return text.length <= SHOWN ? pretty(text) : html`${text.slice(0, SHOWN)}<span class="quiet"> … ${number(SHOWN)} of ${counted(text.length, 'character')}</span>`;
  }

  /** A whole document of JSON is set out; all else is shown as it came. */
  function pretty(text) {
    try {
      return json(JSON.parse(text));
    } catch {
      return text;
    }
  }
}
