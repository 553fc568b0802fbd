// A job made or changed: a form and the JSON beside it, each following the other. While one types
// the server says whether it would take the job, in its own words, and when it would run.

import { html, nothing } from './lit-html.js';
import { ACTIONS, AUTHENTICATIONS, kindOf, RETRY_POLICIES } from './actions.js';
import { call, get, open } from './api.js';
import { definition } from './definition.js';
import { at, fields, put } from './fields.js';
import { byDay } from './outlook.js';
import { forbidden } from './parts.js';
import { scheduleBuilder } from './schedule.js';
import { may } from './session.js';
import { toast } from './toast.js';
import { card, groupCrumb, occurrences, problem, time } from './ui.js';

const TYPING = 250;
const FREQUENCIES = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const UNITS = [...FREQUENCIES.map(unit => [unit, `every ${unit}`]), ['cron', 'by a cron expression'], ['rrule', 'by an iCalendar rule']];
const BY_TEXT = { cron: { cron: '0 9 * * MON-FRI' }, rrule: { rrule: 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0' } };
const UP_TO = [{ name: 'upTo', label: 'Up to', kind: 'span', hint: '15 min' }];
const OVERLAP = [['', 'run beside it'], ['skip', 'skip'], ['bufferOne', 'wait, one at most'], ['bufferAll', 'wait, several']];
const JITTER = { job: { label: 'the same each time', fields: UP_TO }, occurrence: { label: 'another each time', fields: UP_TO } };
const ON_EXCLUDED = [['', 'left out'], ['after', 'at the end of that time'], ['nextDay', 'on the next day'], ['previousDay', 'on the day before']];
const MISSED = {
  latest: { label: 'the latest runs', fields: [] },
  none: { label: 'none runs', fields: [] },
  all: { label: 'all run, one by one', fields: [{ name: 'max', label: 'At most', kind: 'number', hint: '100' }, { name: 'pace', label: 'Apart by', kind: 'span', hint: '1 s' }] },
};
const GAPS = [['', 'as usual'], ['shift', 'run later by the change'], ['boundary', 'run at the change'], ['skip', 'do not run']];
const FOLDS = [['', 'as usual'], ['first', 'run the first time'], ['last', 'run the last time'], ['both', 'run both times']];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
/** What the audit calls a change of a definition, as against a run. */
const CHANGES = /^(PUT|PATCH) |_(enable|disable)$/;
const BLANK = { action: { type: 'http', request: { method: 'POST', uri: '' } } };

/** An object or an array: anything else may as well be meant as text. */
function isJson(text) {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = value => value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** Where two documents differ, and what stands there. */
function differences(mine, other, place = '') {
  if (isObject(mine) && isObject(other)) {
    return [...new Set([...Object.keys(other), ...Object.keys(mine)])].flatMap(name => differences(mine[name], other[name], place ? `${place}.${name}` : name));
  }
  return JSON.stringify(mine) === JSON.stringify(other) ? [] : [{ place, mine, other }];
}

export const create = page => edit(page, page.parts[0], undefined, page.query.get('from'));
export const change = page => edit(page, page.parts[0], page.parts[1]);

/** model: the job that a new one is like. */
function edit({ update, place: home }, collection, existing, model) {
  const jobPath = name => home.jobPath(collection, name);
  const isWriter = may('writer', home.scope(collection));
  let name = existing ?? '', document = BLANK, text = JSON.stringify(BLANK, null, 2), etag, outlook, refusal, failure, syntax;
  let isReady = !existing && !model, isTouched = false, isSaved = false, isSaving = false, isClosed = false, tellsAll = false, theirs, taken, typing, latest = 0;
  const drafts = new Map(), unfolded = new Set(), visited = new Set();

  const form = {
    get document() { return document; },
    drafts,
    keepsSecrets: Boolean(existing),
    set(place, value) { become(put(document, place, value)); },
    message: place => isTold(place) ? wrong(place) : undefined,
  };
  const field = fields(form);
  const builder = scheduleBuilder(form, field, become, update, details);

  /** All that the server refused, each at its place; where it tells of the first only, that. */
  const wrongs = () => refusal?.details?.length ? refusal.details : refusal ? [refusal] : [];
  const bare = (message, place) => message.startsWith(`${place}:`) ? message.slice(place.length + 1).trim() : message;
  function wrong(place) {
    const one = wrongs().find(({ target, message }) => target === place || message?.startsWith(`${place}:`))
      ?? wrongs().find(one => [one.target, one.message].some(text => text?.startsWith(`${place}.`) || text?.startsWith(`${place}[`)));
    return one && bare(one.message, place);
  }

  /** Whether a field that is empty has not been come to yet: that is no mistake so far. */
  function isAwaited(place) {
    if (tellsAll || place === '' || visited.has(place)) return false;
    const [, parent, name] = /^(?:(.*)\.)?([^.]+)$/.exec(place);
    const holder = parent === undefined ? document : at(document, parent);
    return isObject(holder) && (holder[name] === undefined || holder[name] === '');
  }

  const isTold = place => visited.has(place) || (isTouched && !isAwaited(place));
  /** All that is wrong, but for what has not been filled in yet. */
  const told = () => wrongs().filter(({ target, message }) => isTold(target ?? /^([^\s:]+):/.exec(message)?.[1] ?? ''));

  const visit = ({ target }) => { if (target.name && !visited.has(target.name)) { visited.add(target.name); update(); } };

  function become(next) {
    document = next;
    text = JSON.stringify(document, null, 2);
    syntax = undefined;
    touched();
  }

  function write(event) {
    text = event.target.value;
    tellsAll = true;
    try {
      document = JSON.parse(text);
      syntax = typeof document === 'object' && document !== null && !Array.isArray(document) ? undefined : 'This is not a JSON object.';
      if (syntax) document = {};
      drafts.clear();
    } catch (wrong) {
      syntax = wrong.message;
    }
    touched();
  }

  function touched() {
    isTouched = true;
    builder.changed();
    clearTimeout(typing);
    typing = setTimeout(validate, TYPING);
    update();
  }

  /** The newest answer counts, whatever order they come in. */
  async function validate() {
    const mine = ++latest;
    try {
      const answer = await call('POST', `${jobPath(NAME.test(name) ? name : 'unnamed')}/validate`, text);
      if (mine !== latest) return;
      refusal = answer.error;
      outlook = answer.error ? undefined : answer;
      failure = undefined;
    } catch (refused) {
      if (mine !== latest) return;
      if (refused.status === 400) refusal = refused;
      else failure = refused;
    }
    update();
  }

  async function load() {
    try {
      const answer = await open('GET', jobPath(existing ?? model));
      etag = answer.headers.get('ETag');
      document = definition(await answer.json());
      if (model) name = `${model.slice(0, 122)}-copy`;
      text = JSON.stringify(document, null, 2);
      isReady = true;
      builder.changed();
      validate();
    } catch (refused) {
      failure = refused;
    }
    update();
  }

  async function save(event) {
    event?.preventDefault();
    if (isSaving) return;
    isTouched = isSaving = tellsAll = true;
    try {
      if (name === '') name = (await call('POST', `${home.collectionPath(collection)}/jobs`, text)).id;
      else await call('PUT', jobPath(name), text, { headers: existing ? { 'If-Match': etag } : { 'If-None-Match': '*' } });
      isSaved = true;
      toast(`${name} ${existing ? 'saved' : 'created'}.`);
      if (!isClosed) location.hash = home.jobLink(collection, name);
    } catch (refused) {
      if (refused.status === 412 && !existing) taken = name;
      if (refused.status === 400) refusal = refused;
      failure = refused.status === 412 && !existing ? { message: 'A job with this name already exists.' } : refused;
      if (refused.status === 412 && existing) failure = await stored();
      update();
      setTimeout(() => window.document.querySelector('form [aria-invalid=true]')?.focus());
    } finally {
      isSaving = false;
    }
  }

  /** Reads the version that somebody else has stored in the meantime; typed text stays. */
  async function stored() {
    try {
      const answer = await open('GET', jobPath(existing));
      theirs = { etag: answer.headers.get('ETag'), document: definition(await answer.json()), by: await changedBy() };
      return undefined;
    } catch (refused) {
      return refused;
    }
  }

  /** Who changed the job last, and when, as the audit tells whoever may read it. */
  async function changedBy() {
    if (!may('admin', home.group)) return undefined;
    const asked = new URLSearchParams({ $top: 10, $filter: `object eq '${home.scope(collection)}/${existing}'` });
    const { value } = await get(`/audit?${asked}`).catch(() => ({ value: [] }));
    return value.find(({ did }) => CHANGES.test(did));
  }

  /** Goes on from what is stored now: over it, or with it. */
  function settle(isMine) {
    const { etag: newest, document: other } = theirs;
    etag = newest;
    theirs = undefined;
    if (isMine) return save();
    drafts.clear();
    become(other);
    isTouched = false;
  }

  const conflict = () => html`<section class="card conflict" role="alert"><header><h2>Changed by someone else</h2></header>
    <p>${theirs.by ? html`<strong>${theirs.by.by}</strong> changed this job ${time(theirs.by.time)}` : 'This job was changed'}, after you opened it. Where it and your form differ:</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Differences"><table><thead><tr><th scope="col">Property</th><th scope="col">Stored now</th><th scope="col">Yours</th></tr></thead>
      <tbody>${differences(document, theirs.document).map(({ place, mine, other }) => html`<tr><td><code>${place}</code></td><td><code>${shown(other)}</code></td><td><code>${shown(mine)}</code></td></tr>`)}</tbody></table></div>
    <p class="actions"><button type="button" class="primary" @click=${() => settle(true)}>Save mine over it</button>
      <button type="button" @click=${() => settle(false)}>Use the stored version</button></p></section>`;

  if (isWriter) existing || model ? load() : validate();
  return {
    title: existing ? `Edit ${existing}` : 'New job',
    close() { isClosed = true; clearTimeout(typing); latest = Infinity; builder.close(); },
    holds: () => isTouched && !isSaved,
    view: () => html`
      <form @submit=${save} @input=${visit} @focusout=${visit} class="edit" autocomplete="off">
        <div class="head"><h1>${groupCrumb(home)}<a href=${home.collectionLink(collection)} class="crumb">${collection}</a> ${existing ?? 'New job'}</h1>
          <div class="actions">
            <a class="button" href=${existing ? home.jobLink(collection, existing) : home.collectionLink(collection)}>Cancel</a>
            <button class="primary" ?disabled=${!isWriter || !isReady || Boolean(syntax) || told().length > 0}>${existing ? 'Save' : 'Create'}</button></div></div>
        ${isWriter ? nothing : forbidden(existing ? `change jobs of ${home.title(collection)}` : `create jobs in ${home.title(collection)}`, 'writer', 'this collection')}
        ${problem(failure)}${theirs ? conflict() : nothing}
        ${model ? html`<p class="caption">Like <strong>${model}</strong>. Secrets are not copied: type them again.</p>` : nothing}
        ${field.lists()}
        ${isReady && isWriter ? html`<div class="columns wide">
          <div class="stack">
            ${card('Job', html`<div class="grid">
              <label class="whole"><span>Name</span><input name="name" placeholder="empty: generated" pattern="[A-Za-z0-9][A-Za-z0-9_.\\-]{0,127}" .value=${name} ?disabled=${Boolean(existing)} spellcheck="false"
                title="Letters, digits, dots, hyphens and underscores" aria-invalid=${misnamed() ? 'true' : 'false'} @input=${event => { name = event.target.value.trim(); isTouched = true; update(); }}>
                ${misnamed() ? html`<span class="bad-text" role="alert">${misnamed()}</span>` : nothing}</label></div>
              ${folded('Description, labels', ['description', 'labels'], html`
                ${field.area('description', 'Description', 'What it is for, and whom to ask')}
                ${field.map('labels', 'Labels')}`)}`)}
            ${card('Action', action('action', true))}
            ${card('Schedule', html`<div class="grid">
              ${field.instant('startTime', 'First at', { zone: timeZone(), hasZone: hasZone(), absent: 'immediately, or at the first time of the schedule' })}
              ${field.text('timeZone', 'Time zone', { hint: 'UTC, or Europe/Berlin', list: 'zones' })}</div>
              ${builder.view()}`)}
            ${card('More', folded('Delay, calendars, changes of clocks, priority, state', ['dst', 'jitter', 'startWithin', 'priority', 'calendars', 'state'], html`
              ${timeZone() === 'UTC' && !at(document, 'dst') ? nothing : html`
                ${field.choice('dst.gap', 'Times left out in spring', GAPS)}
                ${field.choice('dst.fold', 'Times repeated in autumn', FOLDS)}`}
              ${variant('jitter', 'per', 'Delay', 'none', JITTER)}
              ${field.duration('startWithin', 'Begun within', { hint: 'however late, or 2 h' })}
              ${field.number('priority', 'Priority in flows', { hint: '0, from -10 to 10' })}
              ${field.names('calendars.exclude', 'Not when calendars', { hint: 'holidays, weekends' })}
              ${field.names('calendars.only', 'Only when calendars', { hint: 'business-hours' })}
              ${document.calendars ? field.choice('calendars.onExcluded', 'If excluded', ON_EXCLUDED) : nothing}
              ${field.choice('state', 'State', [['', 'enabled'], ['disabled', 'disabled']])}`))}
          </div>
          <div class="stack sticky">
            ${card('Preview', preview())}
            ${card('JSON', html`<label><span class="sr">The job as JSON</span><textarea class="json" name="json" rows="18" spellcheck="false" .value=${text} @input=${write}></textarea></label>
              ${syntax ? html`<p class="bad-text" role="alert">${syntax}</p>` : nothing}`)}
          </div></div>` : nothing}
      </form>`,
  };

  /** What is wrong with the name, which is no part of the document. */
  function misnamed() {
    if (existing || name === '') return undefined;
    if (!NAME.test(name)) return 'Begins with a letter or digit; then letters, digits, dots, hyphens and underscores, 128 at most.';
    return taken === name ? 'There is a job of this name already.' : undefined;
  }

  function preview() {
    const all = told();
    return html`<div role="status">
      ${all.length > 0 ? all.map(one => html`<p class="bad-text">${one.message}</p>`) : outlook ? html`
        <p class="saying">${outlook.schedule}</p>
        ${occurrences(outlook, timeZone())}
        ${(outlook.moved ?? []).map(one => html`<p class="quiet">${one.localTime} ${one.why}.</p>`)}
        ${outlook.days.length > 1 ? byDay(outlook) : nothing}` : html`<p class="quiet">The preview appears here as soon as the job is complete.</p>`}</div>`;
  }

  /** In whose local times the schedule is. */
  function timeZone() {
    return at(document, 'timeZone') || at(document, 'recurrence.timeZone') || 'UTC';
  }

  /** Without one, what is said without an offset is UTC. */
  function hasZone() {
    return Boolean(at(document, 'timeZone') || at(document, 'recurrence.timeZone'));
  }

  /** Fields that are seldom needed: open where one is filled in or wrong, and from then on as one leaves it. */
  function folded(title, places, content) {
    const key = places[0];
    if (places.some(one => at(document, one) !== undefined || form.message(one))) unfolded.add(key);
    return html`<details class="folded" .open=${unfolded.has(key)} @toggle=${event => unfolded[event.target.open ? 'add' : 'delete'](key)}><summary>${title}</summary><div class="grid">${content}</div></details>`;
  }

  /** An action, also the one for errors, which has none of its own. */
  function action(place, hasError) {
    const word = kindOf(at(document, `${place}.type`)), kind = ACTIONS[word];
    const choose = next => {
      const { payload, start } = ACTIONS[next];
      const { retryPolicy, timeout, successOn, flow, errorAction } = at(document, place) ?? {};
      const same = kind?.payload === payload ? at(document, `${place}.${payload}`) : start;
      drafts.clear();
      become(put(document, place, { type: next, [payload]: same, ...(retryPolicy ? { retryPolicy } : {}), ...(timeout ? { timeout } : {}), ...(successOn && payload === 'request' ? { successOn } : {}), ...(flow ? { flow } : {}), ...(errorAction ? { errorAction } : {}) }));
    };
    return html`<div class="grid">
      ${field.choice(`${place}.type`, 'Kind', Object.entries(ACTIONS).map(([one, { label }]) => [one, label]), choose, word ?? at(document, `${place}.type`))}
      ${kind ? kind.fields.map(one => control(`${place}.${kind.payload}`, one)) : nothing}
      ${variant(`${place}.retryPolicy`, 'retryType', 'When it fails', hasError ? '4 retries, every 30 s' : 'as the main action', RETRY_POLICIES)}
    </div>
    ${folded(kind?.payload === 'request' ? 'Authentication, timeout, success, flow' : 'Timeout, flow', ['request.authentication', 'timeout', 'successOn', 'flow'].map(one => `${place}.${one}`), html`
      ${kind?.payload === 'request' ? variant(`${place}.request.authentication`, 'type', 'Authentication', 'none', AUTHENTICATIONS) : nothing}
      ${field.duration(`${place}.timeout`, 'Time for an attempt', { hint: 'as the server is set, or 20 s' })}
      ${kind?.payload === 'request' ? field.numbers(`${place}.successOn`, 'Success is', { hint: '2xx' }) : nothing}
      ${field.text(`${place}.flow`, 'Flow', { hint: 'the one for its host, if any' })}`)}
    ${hasError ? html`<label class="tick"><input type="checkbox" .checked=${Boolean(at(document, `${place}.errorAction`))}
        @change=${event => become(put(document, `${place}.errorAction`, event.target.checked ? BLANK.action : undefined))}>When all attempts have failed, perform another action</label>
      ${at(document, `${place}.errorAction`) ? html`<fieldset class="inner"><legend>Error action</legend>${action(`${place}.errorAction`, false)}</fieldset>` : nothing}` : nothing}`;
  }

  /** A part that is absent, or of one of some types with fields of their own. */
  function variant(place, typeName, label, absent, types) {
    const type = String(at(document, `${place}.${typeName}`) ?? '');
    const word = Object.keys(types).find(one => one.toLowerCase() === type.toLowerCase());
    const choose = next => { drafts.clear(); become(put(document, place, next === '' ? undefined : { [typeName]: next })); };
    return html`${field.choice(`${place}.${typeName}`, label, [['', absent], ...Object.entries(types).map(([one, { label: text }]) => [one, text])], choose)}
      ${word ? types[word].fields.map(one => control(place, one)) : nothing}`;
  }

  /** A body of JSON goes with its type, as the command line sends it; a type that is named stays, and so do headers that are half typed. */
  function nameType(request, text) {
    const headers = at(document, `${request}.headers`) ?? {};
    if (!isJson(text) || !isObject(headers) || Object.keys(headers).some(name => name.toLowerCase() === 'content-type')) return;
    drafts.delete(`${request}.headers`);
    become(put(document, `${request}.headers`, { ...headers, 'Content-Type': 'application/json' }));
  }

  function control(place, { name: property, label, kind, choices, hint, wide }) {
    const whole = `${place}.${property}`;
    switch (kind) {
      case 'choice': return field.choice(whole, label, choices.map(one => [one, one === '' ? 'as usual' : one]));
      case 'area': return field.area(whole, label);
      case 'body': return field.body(whole, label, text => nameType(place, text));
      case 'map': return field.map(whole, label);
      case 'span': return field.duration(whole, label, { hint });
      case 'numbers': return field.numbers(whole, label, { hint });
      case 'number': return field.number(whole, label, { hint });
      case 'secret': return field.secret(whole, label);
      case 'tick': return tick(whole, label);
      default: return field.text(whole, label, { hint, classes: wide ? 'whole' : '' });
    }
  }

  /** A property that is true or absent. */
  function tick(whole, label) {
    return html`<label class="tick whole"><input type="checkbox" .checked=${at(document, whole) === true}
        @change=${event => become(put(document, whole, event.target.checked || undefined))}>${label}</label>`;
  }

  /** What goes with a schedule: all of its fields, or when it ends and what becomes of occurrences that cannot run. */
  function details(mode) {
    if (mode === 'once') return nothing;
    const form = Object.keys(BY_TEXT).find(name => at(document, `recurrence.${name}`) !== undefined);
    const unit = form ?? String(at(document, 'recurrence.frequency') ?? '').toLowerCase();
    const limits = html`
      ${field.number('recurrence.count', 'Executions at most', { hint: 'no end' })}
      ${field.number('pauseAfterFailures', 'Disable after failures in a row', { hint: 'never' })}
      ${field.instant('recurrence.endTime', 'Not after', { zone: timeZone(), hasZone: hasZone(), absent: 'no end' })}
      ${variant('missed', 'run', 'When some were missed', 'as usual', MISSED)}
      ${overlap()}`;
    return mode !== 'more' ? html`<details><summary>End, missed occurrences, overlap</summary><div class="grid">${limits}</div></details>` : html`<div class="grid">
      ${field.choice('recurrence.frequency', 'Repeats', UNITS, repeat, unit)}
      ${form === 'cron' ? byCron() : form === 'rrule' ? byRule() : field.number('recurrence.interval', `Every how many ${unit}s`)}
      ${limits}
      ${form ? nothing : schedule((...units) => units.includes(unit))}
    </div>`;
  }

  function repeat(unit) {
    drafts.clear();
    const periodic = { frequency: unit, interval: at(document, 'recurrence.interval') ?? 1 };
    become(put(document, 'recurrence', BY_TEXT[unit] ?? periodic));
  }

  /** What an occurrence does while another execution is under way. */
  function overlap() {
    const word = String(at(document, 'overlap') ?? '').toLowerCase();
    const choose = chosen => become(put(put(document, 'bufferMax', undefined), 'overlap', chosen || undefined));
    return html`
      ${field.choice('overlap', 'While another execution is under way', OVERLAP, choose, OVERLAP.map(one => one[0]).find(one => one.toLowerCase() === word) ?? '')}
      ${word === 'bufferall' ? field.number('bufferMax', 'Waiting at most', { hint: '10' }) : nothing}`;
  }

  function byCron() {
    return html`
      ${field.text('recurrence.cron', 'Cron expression', { hint: 'minute hour day month weekday' })}
      ${field.choice('recurrence.cronDialect', 'Written as in', [['', 'crontabs'], ['quartz', 'Quartz'], ['aws', 'EventBridge']])}`;
  }

  function byRule() {
    return field.lines('recurrence.rrule', 'iCalendar rule, or lines with DTSTART, RRULE, EXDATE', 'FREQ=WEEKLY;BYDAY=MO,FR');
  }

  /** What limits or expands a frequency. */
  function schedule(has) {
    return html`
      ${has('second') ? nothing : html`
        ${field.numbers('recurrence.schedule.minutes', 'Minutes', { hint: '0, 30' })}
        ${field.numbers('recurrence.schedule.hours', `Hours (${timeZone()})`, { hint: '5, 17' })}`}
      ${has('week') ? field.several('recurrence.schedule.weekDays', 'Days', DAYS.map(day => [day, day.slice(0, 3)])) : nothing}
      ${has('month') ? html`
        ${field.numbers('recurrence.schedule.monthDays', 'Days of the month', { hint: '1, 15, -1 (the last)' })}
        ${field.occurrences('recurrence.schedule.monthlyOccurrences', 'Weekdays of the month', { hint: 'friday 1, monday -1' })}` : nothing}
      ${has('day', 'week', 'month') ? field.several('recurrence.schedule.months', 'Only in', MONTHS.map((month, i) => [i + 1, month])) : nothing}`;
  }
}
