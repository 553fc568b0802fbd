// Who changed what: filtered by object, time, and by whom; each entry opens to what it was before and since.

import { html, nothing } from './lit-html.js';
import { get, local } from './api.js';
import { bytes, counted } from './format.js';
import { json } from './json.js';
import { group, jobLink, link } from './place.js';
import { may } from './session.js';
import { range } from './sort.js';
import { badge, button, exactly, lookback, problem, skeleton, time } from './ui.js';

const TOP = 50;
const DEEPEST = 20; // requests of 100 entries: what one search by a client looks at
const SPANS = ['60', '1440', '10080'];
const DONE = { run: 'run', retry: 'retried', enable: 'enabled', disable: 'disabled', pause: 'paused', resume: 'resumed', reset: 'reset', PUT: 'stored', PATCH: 'changed', DELETE: 'deleted', POST: 'created' };

const SCOPE = 'pause:'; // begins the object of a pause of everything or of a group

/** "job retried" of "POST job_retry", "job stored" of "PUT job", "paused" of "POST pause". */
function told(did) {
  const [method, what = ''] = did.split(' ');
  if (DONE[what]) return DONE[what];
  const [object, verb] = what.split('_');
  return DONE[verb ?? method] ? `${object} ${DONE[verb ?? method]}` : did;
}

const KINDS = { PUT: 'info', POST: 'info', PATCH: 'info', DELETE: 'bad' };

export function audit({ update, query }) {
  const seesAll = may('admin', '*');
  const filter = { of: query.get('of') ?? (seesAll ? '' : group()), by: query.get('by') ?? '', since: query.get('since') ?? '' };
  let entries, next, failure, chosen, isLoading = false, looked = 0, latest = 0, typing, isClosed = false;

  function first() {
    const said = [];
    if (filter.of) said.push(`object eq '${filter.of.replaceAll("'", "''")}'`);
    if (filter.since) said.push(`time ge ${new Date(Date.now() - filter.since * 60_000).toISOString()}`);
    return `/audit?$top=${filter.by ? 100 : TOP}${said.length ? `&$filter=${encodeURIComponent(said.join(' and '))}` : ''}`;
  }

  /** The server filters by object and time; by whom is looked for here, in so many entries. */
  async function load(path, before = []) {
    const mine = ++latest;
    isLoading = true;
    update();
    try {
      const found = [...before];
      let to = path;
      for (let i = 0; i < DEEPEST && to && found.length < before.length + TOP; i++) {
        const page = await get(to);
        if (mine !== latest || isClosed) return;
        looked += page.value.length;
        found.push(...page.value.filter(one => one.by.toLowerCase().includes(filter.by.toLowerCase())));
        to = page.nextLink && local(page.nextLink);
        entries = [...found];
        next = to;
        update();
        if (!filter.by) break;
      }
      failure = undefined;
    } catch (refused) {
      if (mine !== latest) return;
      failure = refused;
      if (before.length === 0) entries = undefined; // what is not known is not told
    }
    isLoading = false;
    if (!isClosed) update();
  }

  const narrow = name => event => {
    filter[name] = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const said = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
      history.replaceState(undefined, '', link(`/audit${said.size > 0 ? `?${said}` : ''}`));
      chosen = undefined;
      looked = 0;
      load(first());
    }, 300);
  };

  /** A job has a page, and so has what it is in. */
  function object(name) {
    if (name.startsWith(SCOPE)) return html`<span class="row">${name === `${SCOPE}*` ? 'everything' : `group ${name.slice(SCOPE.length)}`}</span>`;
    const [subscription, place, collection, job] = name.split('/');
    return job ? html`<a class="row" href=${jobLink(collection, job, [subscription, place])}>${subscription === 'default' && place === 'default' ? '' : `${subscription}/${place}/`}${collection}/${job}</a>` : html`<span class="row">${name}</span>`;
  }

  const states = one => one.state === undefined && one.was === undefined ? nothing : html`<span class="quiet">${one.was === one.state ? one.state : `${one.was ?? 'not there'} → ${one.state ?? 'gone'}`}</span>`;
  /** Window and note of a pause that began, was planned or ended. */
  function paused(one) {
    const pause = one.object.startsWith(SCOPE) ? one.after ?? one.before : one.did.endsWith('_disable') ? one.after?.pause : undefined;
    return !pause?.since ? nothing : html`<span class="quiet">${exactly(pause.since, false)} – ${pause.until ? exactly(pause.until, false) : 'until resumed'}${pause.note ? `: ${pause.note}` : ''}</span>`;
  }

  const row = one => {
    const isOpen = chosen === one.id;
    const method = one.did.split(' ')[0];
    return html`
      <tr class=${isOpen ? 'selected' : ''}>
        <td class="when"><button type="button" class="link" aria-expanded=${isOpen} @click=${() => { chosen = isOpen ? undefined : one.id; update(); }}>${exactly(one.time, false)}</button></td>
        <td class="gate" title=${one.did}>${badge(told(one.did), KINDS[method] ?? 'quiet')}</td>
        <td class="name">${object(one.object)}${one.others?.length ? html` <span class="quiet">and ${counted(one.others.length, 'more', 'more')}</span>` : nothing}</td>
        <td class="by">${one.by} <span class="quiet">${one.from}</span></td>
        <td class="change">${states(one)}${paused(one)}${one.retimed ? html`<span class="quiet">${one.retimed}</span>` : nothing}</td></tr>
      ${isOpen ? html`<tr class="detail"><td colspan="5">${detail(one)}</td></tr>` : nothing}`;
  };

  load(first());
  return {
    title: 'Audit',
    close() { isClosed = true; clearTimeout(typing); },
    view: () => html`
      <div class="head"><h1>Audit</h1></div>
      <div class="toolbar" role="search">
        <input type="search" aria-label="Collection or job, as default/default/orders/sync" placeholder="Collection or job: default/default/orders/sync" .value=${filter.of} @input=${narrow('of')} autocomplete="off" spellcheck="false">
        <input type="search" aria-label="By whom" placeholder="By whom" .value=${filter.by} @input=${narrow('by')} autocomplete="off" spellcheck="false">
        ${lookback(filter.since, narrow('since'), SPANS)}
        <span class="quiet" role="status">${isLoading ? 'searching …' : filter.by && entries ? `${counted(entries.length, 'entry', 'entries')} in ${counted(looked, 'entry', 'entries')} looked at` : ''}</span>
      </div>
      ${problem(failure)}
      ${!entries ? failure ? nothing : skeleton() : entries.length === 0 ? html`
        <div class="card empty"><h2>${Object.values(filter).some(Boolean) ? 'No such change' : 'No change yet'}</h2>
          <p>Every accepted change of a job, a collection, a calendar, a flow or a key is listed here with who made it. The same by API:</p>
          <pre tabindex="0" aria-label="Command">curl -G ${location.origin}/audit --data-urlencode '$filter'="object eq 'default/default/default'"</pre></div>` : html`
        <div class="card scroll"><table class="collections audit">
          <thead><tr><th scope="col">When</th><th scope="col">Did</th><th scope="col">What</th><th scope="col">By</th><th scope="col">State</th></tr></thead>
          <tbody>${entries.map(row)}</tbody></table></div>`}
      ${next && !isLoading ? html`<div class="pager"><span class="quiet">${range(0, entries?.length ?? 0)}</span>${button(filter.by ? 'Look further' : 'More', () => load(next, entries))}</div>` : nothing}`,
  };
}

function detail(one) {
  const side = (label, value, size) => html`<div><h3>${label}</h3>${value !== undefined ? html`<pre class="json" tabindex="0" aria-label=${label}>${json(value)}</pre>`
    : html`<p class="quiet">${size ? `Too long to be kept: ${bytes(size)}.` : 'Nothing, or nothing that changed.'}</p>`}</div>`;
  return html`
    <dl class="facts"><div><dt>when</dt><dd>${time(one.time)}</dd></div><div><dt>by</dt><dd>${one.by}</dd></div><div><dt>from</dt><dd>${one.from}</dd></div></dl>
    ${one.others?.length ? html`<p>With it, in the same request: <code>${one.others.join(', ')}</code></p>` : nothing}
    <div class="columns sides">${side('Before', one.before, one.beforeBytes)}${side('After', one.after, one.afterBytes)}</div>`;
}
