// The jobs of a collection: searched, filtered, paged through, and changed one or many at a time.

import { html, nothing } from './lit-html.js';
import { get, local } from './api.js';
import { gather, perform } from './bulk.js';
import { recent } from './charts.js';
import { counted, number, target } from './format.js';
import { filterOf, labels } from './labels.js';
import { isOverdue, pending } from './pending.js';
import { refreshing } from './refresh.js';
import { running, runningBadge } from './running.js';
import { searching } from './searching.js';
import { may } from './session.js';
import { range, sorting } from './sort.js';
import { button, copy, groupCrumb, health, isStopped, leftOut, problem, skeleton, state, time, upcoming } from './ui.js';
import { columns, savedFilters } from './views.js';
import { waitsCell } from './waits.js';

const TOP = 50;
const RECENT = 20; // attempts of each job: they come with the page
const TYPING = 250;
const EVERY = 5000;
const SHARE = 20; // so many times as long as a search takes nobody searches again
const ASKED = 20; // jobs that are due and asked what they wait for
const MANY = 1e9; // failed attempts decide where as many executions were given up
const STATES = ['enabled', 'disabled', 'completed', 'faulted'];
const OUTCOMES = [['completed', 'last completed'], ['failed', 'last failed'], ['skipped', 'last skipped'], ['none', 'never ran']];

/** By what the server orders the list. */
const PROPERTIES = { name: 'id', next: 'nextExecutionTime', last: 'lastExecutionTime', failed: 'faultedCount' };
/** By what the rows of a page are sorted where the list is too long for that. */
const COLUMNS = {
  name: ({ job }) => job.id.toLowerCase(),
  next: ({ job }) => job.status?.nextExecutionTime && Date.parse(job.status.nextExecutionTime),
  last: ({ job }) => job.status?.lastExecutionTime && Date.parse(job.status.lastExecutionTime),
  failed: ({ job }) => (job.status?.faultedCount ?? 0) + (job.status?.failureCount ?? 0) / MANY,
};
/** What a row can show beside the name. */
const SHOWN = [['state', 'State', true], ['schedule', 'Schedule', true], ['recent', 'Recent', true], ['next', 'Next', true], ['last', 'Last', true], ['runs', 'Runs / given up', true], ['created', 'Created', false]];
const ORDERS = [['', 'by name'], ['next', 'next first'], ['-last', 'newest run first'], ['-failed', 'most failures first']];

export function jobs({ update, place, parts: [collection], query }) {
  const collectionPath = place.collectionPath(collection), collectionLink = place.collectionLink(collection);
  const known = new Map();
  const refresh = refreshing(() => load(page?.path ?? first(), page?.from ?? 0, Boolean(page)));
  let inFlight = new Map(), waits = new Map(), page, counts, total, failure, isLoading = false, isTooLong = false, trail = [], selected = new Set(), typing, latest = 0, isClosed = false;
  const shows = columns('jobs', SHOWN, word => word && word !== 'recent' ? update() : fromStart());
  const saved = savedFilters('jobs', () => asked().size > 0 ? address() : undefined, update);
  const isAll = () => !page?.nextLink && trail.length === 0;
  const order = sorting(COLUMNS, query.get('sort'), isAll, fromStart, () => !isTooLong);
  const filter = { name: query.get('name') ?? '', state: query.get('state') ?? '', lastOutcome: query.get('lastOutcome') ?? '', label: query.get('label') ?? '' };

  const search = ({ label = '', ...wanted }, top = TOP) => {
    const asked = new URLSearchParams(Object.entries({ ...wanted, $filter: filterOf(label) }).filter(([, value]) => value !== ''));
    asked.set('$top', top);
    if (top === TOP && shows.has('recent')) asked.set('recent', RECENT);
    if (top === TOP && isOrdered()) asked.set('$orderby', `${PROPERTIES[order.word.replace('-', '')]}${order.word.startsWith('-') ? ' desc' : ''}`);
    return `${collectionPath}/search?${asked}`;
  };

  const isOrdered = () => order.word !== '' && !isTooLong;

  const byName = searching(search, filter);
  const first = () => isOrdered() ? search(filter) : byName.first();

  /** A page may come back short although there is more: the search goes on until it is full or over. A quiet one is drawn when it is whole. */
  async function load(path = first(), from = 0, isQuiet = false) {
    const mine = ++latest, begun = Date.now();
    refresh.stop();
    isLoading = !isQuiet;
    update();
    try {
      const found = { path, from, value: [], damaged: new Map(), nextLink: path };
      while (found.nextLink && found.value.length < TOP && mine === latest && !isClosed) {
        const asked = found.nextLink, more = await get(asked);
        if (!byName.isOfPrefix(asked)) total = more.total ?? total;
        found.value.push(...more.value.filter(({ job }) => isOrdered() || byName.isNew(asked, job)));
        more.value.forEach(({ job }) => known.set(job.id, job));
        more.damaged?.forEach(({ name, reason }) => found.damaged.set(name, reason));
        found.nextLink = more.nextLink ? local(more.nextLink) : byName.behind(asked);
        counts = more.counts ?? counts;
        if (mine === latest && !isQuiet) { page = { ...found }; update(); }
      }
      if (mine === latest && isQuiet) { forget(page, found); page = found; }
      failure = undefined;
    } catch (refused) {
      if (refused.code === 'TooManyJobs' && mine === latest && !isClosed) {
        isTooLong = true;
        trail = [];
        await load(first(), 0, isQuiet);
        return;
      }
      failure = refused;
    }
    if (mine !== latest || isClosed) return;
    isLoading = false;
    refresh.soon(Math.max(EVERY, SHARE * (Date.now() - begun)));
    update();
    lookBeside(mine);
  }

  /** Ends the selection of what is no longer there. */
  function forget(before, now) {
    const last = now.value.at(-1)?.job.id.toLowerCase();
    const isOver = isOrdered() ? isAll() && !now.nextLink : !now.nextLink;
    before.value.filter(({ job }) => !now.value.some(hit => hit.job.id === job.id) && (isOver || (!isOrdered() && job.id.toLowerCase() < last)))
      .forEach(({ job }) => selected.delete(job.id));
  }

  /** What runs now, and what those wait for that are due: the rows do not wait for that. */
  async function lookBeside(mine) {
    const overdue = page?.value.filter(({ job }) => isOverdue(job)).slice(0, ASKED) ?? [];
    const [attempts, ...all] = await Promise.all([running(collectionPath),
      ...overdue.map(({ job }) => pending(place.jobPath(collection, job.id), job).then(found => [job.id, found], () => [job.id, {}]))]);
    if (mine !== latest || isClosed) return;
    inFlight = attempts;
    waits = new Map(all);
    update();
  }

  function anew() {
    selected = new Set();
    fromStart();
  }

  function fromStart() {
    trail = [];
    total = undefined;
    isTooLong = false;
    remember();
    load();
  }

  const asked = () => new URLSearchParams(Object.entries({ ...filter, sort: order.word }).filter(([, value]) => value !== ''));
  const address = () => `${collectionLink}${asked().size ? '?' + asked() : ''}`;
  const remember = () => history.replaceState(null, '', address());

  function type(event) {
    filter.name = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(anew, TYPING);
  }

  const choose = field => event => { filter[field] = event.target.value; anew(); };
  const toggle = id => { selected.has(id) ? selected.delete(id) : selected.add(id); update(); };
  const shown = () => page?.value.map(hit => hit.job.id) ?? [];
  const allShown = () => shown().length > 0 && shown().every(id => selected.has(id));

  function toggleShown() {
    const ids = shown();
    allShown() ? ids.forEach(id => selected.delete(id)) : ids.forEach(id => selected.add(id));
    update();
  }

  async function selectAll() {
    const found = await gather(search(filter, 100), job => known.set(job.id, job));
    if (found) selected = new Set(found);
    update();
  }

  async function act(action) {
    const changed = await perform(action, place, collection, [...selected], new Map([...selected].filter(id => known.has(id)).map(id => [id, known.get(id)])), () => { if (!isClosed) load(page.path, page.from); });
    if (!changed || isClosed) return;
    selected = new Set();
    load(page.path, page.from);
  }

  const creation = `${collectionLink}/new`;
  const isOperator = may('operator', place.scope(collection)), isWriter = may('writer', place.scope(collection));
  const isFiltered = () => Object.values(filter).some(value => value !== '');

  /** When a job runs next, or what holds it back. */
  function next(job) {
    const { flow, retry } = waits.get(job.id) ?? {};
    if (job.waits) return waitsCell(job.waits);
    if (flow) return html`<a href=${place.link(`/flows/${encodeURIComponent(flow)}`)} title="It is due, and its flow holds it back">flow ${flow}</a>`;
    if (retry?.at) return html`<span title="Retry ${retry.number} of ${retry.of}">retry ${upcoming(retry.at)}</span>`;
    return isOverdue(job) && inFlight.has(job.id.toLowerCase()) ? html`<span class="quiet">–</span>` : upcoming(job.status?.nextExecutionTime);
  }

  const cell = (word, draw) => shows.has(word) ? draw() : nothing;
  const row = ({ job, schedule, lastOutcome, recent: attempts }) => html`
    <tr class=${selected.has(job.id) ? 'selected' : ''}>
      <td class="check">${isOperator ? html`<input type="checkbox" aria-label="Select ${job.id}" .checked=${selected.has(job.id)} @change=${() => toggle(job.id)}>` : nothing}</td>
      <td class="name"><a class="row" href=${place.jobLink(collection, job.id)} title=${target(job.action)}>${job.id}</a>${labels(job, collectionLink)}
        <div class="quiet target">${target(job.action)}</div></td>
      ${cell('state', () => html`<td class="states">${isStopped(job) ? nothing : state(job.state)} ${inFlight.has(job.id.toLowerCase()) ? runningBadge(inFlight.get(job.id.toLowerCase())) : health(job, lastOutcome, Boolean(waits.get(job.id)?.retry))}</td>`)}
      ${cell('schedule', () => html`<td class="words" title=${schedule}><div>${schedule}</div></td>`)}
      ${cell('recent', () => html`<td class="picture ${attempts?.length > 0 ? '' : 'none'}">${attempts ? recent(attempts, RECENT) : nothing}</td>`)}
      ${cell('next', () => html`<td data-label=${job.waits ? nothing : 'next'}>${next(job)}</td>`)}
      ${cell('last', () => html`<td data-label="last">${job.status?.lastExecutionTime ? time(job.status.lastExecutionTime) : html`<span class="quiet">never ran</span>`}</td>`)}
      ${cell('runs', () => html`<td class="num" data-label="runs">${number(job.status?.executionCount ?? 0)}${job.status?.failureCount ? html`<span class=${job.status.faultedCount ? 'bad-text' : 'quiet'} title="${counted(job.status.faultedCount ?? 0, 'execution')} given up, ${counted(job.status.failureCount, 'attempt')} failed"> / ${number(job.status.faultedCount ?? 0)}</span>` : nothing}</td>`)}
      ${cell('created', () => html`<td data-label="created">${time(job.status?.createdTime)}</td>`)}
    </tr>`;

  /** The first job as a command: it adds to a stream in the server's own Redis, so that it needs no target. */
  const example = `curl -X PUT ${location.origin}${collectionPath}/jobs/hello -H 'Content-Type: application/json' \\
  -d '{"action": {"type": "redisStream", "redisStream": {"stream": "hello", "message": "hello"}}, "recurrence": {"frequency": "second", "interval": 5, "count": 3}}'`;
  const empty = () => html`<div class="card empty"><h2>There is no job yet.</h2>
    <p>A job calls a URL or fills a queue, once or again and again. This one runs three times, five seconds apart:</p>
    <pre tabindex="0" aria-label="Command">${example}</pre>
    <p class="actions">${button('Copy', event => copy(event, example))} ${isWriter ? html`<a class="button primary" href=${creation}>New job</a>` : nothing}</p></div>`;

  load();
  return {
    title: collection,
    close() { isClosed = true; clearTimeout(typing); refresh.stop(); },
    tools: () => shows.button(),
    keys(key) {
      if (key !== 'n' || !isWriter) return false;
      location.hash = creation;
      return true;
    },
    view: () => html`
      <div class="head"><h1>${groupCrumb(place)}<a href=${place.link('/collections')} class="crumb">Collections</a> ${collection}</h1>
        <div class="actions"><a class="button" href="${collectionLink}/settings">Settings</a>
          ${isWriter ? html`<a class="button primary" href=${creation}>New job</a>` : nothing}</div></div>
      <div class="toolbar" role="search">
        <input type="search" aria-label="Search by name" placeholder="Search by name  ( / )" .value=${filter.name} @input=${type} autocomplete="off" spellcheck="false">
        <select aria-label="State" @change=${choose('state')}>
          <option value="" ?selected=${filter.state === ''}>any state</option>
          ${STATES.map(word => html`<option value=${word} ?selected=${filter.state === word}>${word}${counts ? ` (${number(counts[word])})` : ''}</option>`)}
        </select>
        <select aria-label="Last outcome" @change=${choose('lastOutcome')}>
          <option value="" ?selected=${filter.lastOutcome === ''}>any outcome</option>
          ${OUTCOMES.map(([word, text]) => html`<option value=${word} ?selected=${filter.lastOutcome === word}>${text}</option>`)}
        </select>
        <input aria-label="Labels" placeholder="team=billing" .value=${filter.label} @change=${event => { filter.label = event.target.value.trim(); anew(); }} autocomplete="off" spellcheck="false">
        <select class="narrow" aria-label="Order" @change=${event => order.choose(event.target.value)}>${ORDERS.map(([word, text]) =>
          html`<option value=${word} ?selected=${order.word === word}>${text}</option>`)}</select>
        ${saved.button()}
        <span class="quiet" role="status">${isLoading ? 'searching …' : total === undefined ? '' : counted(total, 'job')}</span>
      </div>
      ${selected.size === 0 ? nothing : html`
        <div class="selection" role="region" aria-label="Selection">
          <strong>${counted(selected.size, 'job')} selected</strong>
          ${button('Run', () => act('run'))} ${button('Retry', () => act('retry'))} ${button('Enable', () => act('enable'))} ${button('Disable', () => act('disable'))}
          ${isWriter ? button('Delete', () => act('delete'), 'danger') : nothing}
          <span class="grow"></span>
          ${page?.nextLink || trail.length > 0 ? button(isFiltered() ? 'Select all that match' : 'Select all', selectAll, 'plain') : nothing}
          ${button('Clear', () => { selected = new Set(); update(); }, 'plain')}
        </div>`}
      ${problem(failure)}
      ${!page ? failure ? nothing : skeleton(10) : page.value.length === 0 && page.damaged.size === 0 && !isLoading && !isFiltered() && trail.length === 0 ? empty() : html`
        ${leftOut(page.damaged, name => place.jobLink(collection, name))}
        ${order.note(isTooLong ? ': the limit is 10,000 jobs. Filter by a state' : '')}
        <div class="card scroll"><table class="jobs">
          <thead><tr><th scope="col" class="check">${isOperator ? html`<input type="checkbox" aria-label="Select all shown" .checked=${allShown()} @change=${toggleShown}>` : nothing}</th>
            ${order.header('name', 'Name', { first: '-name' })}${cell('state', () => html`<th scope="col">State</th>`)}${cell('schedule', () => html`<th scope="col">Schedule</th>`)}
            ${cell('recent', () => html`<th scope="col" title="The last ${RECENT} attempts, the newest on the right: the longer the higher, red where they failed">Recent</th>`)}
            ${cell('next', () => order.header('next', 'Next'))}${cell('last', () => order.header('last', 'Last', { first: '-last' }))}${cell('runs', () => order.header('failed', 'Runs / given up', { first: '-failed', classes: 'num', by: 'failures' }))}${cell('created', () => html`<th scope="col">Created</th>`)}</tr></thead>
          <tbody>${page.value.length > 0 ? order.sorted(page.value).map(row)
            : html`<tr><td colspan=${2 + shows.count} class="quiet">${isLoading ? 'Searching …' : trail.length > 0 ? 'No further job matches.' : 'No job matches.'}</td></tr>`}</tbody>
        </table></div>
        <div class="pager">
          <span class="quiet">${range(page.from, page.value.length, page.nextLink ? total : page.from + page.value.length)}</span>
          ${trail.length > 0 ? button('← Back', () => { const { path, from } = trail.pop(); load(path, from); }) : nothing}
          ${page.nextLink ? button('More →', () => { trail.push({ path: page.path, from: page.from }); load(page.nextLink, page.from + page.value.length); }) : nothing}
        </div>`}`,
  };
}
