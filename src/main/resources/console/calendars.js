// Calendars of the group at hand: listed, read, uploaded as a file or written as JSON, deleted.

import { html, nothing } from './lit-html.js';
import { call, open } from './api.js';
import { confirmed, dialog } from './dialog.js';
import { counted, number } from './format.js';
import { json } from './json.js';
import { paged } from './paged.js';
import { may } from './session.js';
import { toast } from './toast.js';
import { badge, button, card, groupCrumb, problem, skeleton } from './ui.js';

const SHOWN = 200;
const EXAMPLE = { timeZone: 'Europe/Berlin', spans: [{ date: '2035-12-25', name: 'Christmas Day' }, { weekDays: ['saturday', 'sunday'] }] };
const KINDS = [['date', 'day'], ['weekDays', 'each week'], ['from', 'span'], ['cron', 'cron'], ['rrule', 'rule']];

const pageOf = (place, name) => place.link(`/calendars/${encodeURIComponent(name)}`);

export function calendars({ update, place }) {
  const list = paged(update, `${place.calendarBase}?$top=50`);
  const isWriter = may('writer', place.group);
  const page = name => pageOf(place, name);
  const create = () => edit(place, undefined, name => { if (!list.isClosed) location.hash = page(name); });

  const row = one => html`<tr>
    <td class="name"><a class="row" href=${page(one.name)}>${one.name}</a></td>
    <td data-label="Time zone">${one.timeZone ?? 'UTC'}</td>
    <td class="num" data-label="Spans">${number(one.spanCount)}</td>
    <td class="actions">${isWriter ? html`${button('Replace …', () => edit(place, one.name, () => list.load()), 'small')} ${button('Delete', () => remove(place, one.name, () => list.load()), 'small danger')}` : nothing}</td></tr>`;

  list.load();
  return {
    title: 'Calendars',
    close: list.close,
    keys(pressed) {
      if (pressed !== 'n' || !isWriter) return false;
      create();
      return true;
    },
    view: () => html`
      <div class="head"><h1>Calendars</h1>${isWriter ? html`<div class="actions">${button('New calendar', () => create(), 'primary')}</div>` : nothing}</div>
      <p class="caption">Times at which jobs do not run, or only then: holidays, a freeze, business hours. A job names them in its form.</p>
      ${problem(list.failure)}
      ${!list.entries ? list.failure ? nothing : skeleton() : list.entries.length === 0 ? html`
        <div class="card empty"><h2>No calendar yet</h2>
          <p>Upload a file of holidays (.ics), or put one as JSON:</p>
          <pre tabindex="0" aria-label="Command">curl -X PUT ${location.origin}${place.calendarBase}/weekends -H 'Content-Type: application/json' -d '{"timeZone": "Europe/Berlin", "spans": [{"weekDays": ["saturday", "sunday"]}]}'</pre></div>` : html`
        <div class="card scroll"><table class="collections">
          <thead><tr><th scope="col">Name</th><th scope="col">Time zone</th><th scope="col" class="num">Spans</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
          <tbody>${list.entries.map(row)}</tbody></table></div>
        ${list.buttons()}`}`,
  };
}

export function calendar({ update, place, parts: [name] }) {
  const isWriter = may('writer', place.group);
  let found, failure, isWhole = false, isClosed = false;

  async function load() {
    try {
      found = await call('GET', place.calendarPath(name));
      failure = undefined;
    } catch (refused) {
      failure = refused;
    }
    update();
  }

  const row = span => {
    const [kind, text] = KINDS.find(([property]) => span[property] !== undefined) ?? ['', '–'];
    return html`<tr><td>${badge(text, 'quiet')}</td><td class="words">${covers(span, kind)}</td><td>${span.name ?? html`<span class="quiet">–</span>`}</td></tr>`;
  };

  load();
  return {
    title: name,
    close() { isClosed = true; },
    view: () => html`
      <div class="head"><h1>${groupCrumb(place)}<a href=${place.link('/calendars')} class="crumb">Calendars</a> ${name}</h1>
        ${found && isWriter ? html`<div class="actions">${button('Replace …', () => edit(place, name, load, found))}
          ${button('Delete', () => remove(place, name, () => { if (!isClosed) location.hash = place.link('/calendars'); }), 'danger')}</div>` : nothing}</div>
      ${problem(failure)}
      ${!found ? failure ? nothing : skeleton() : html`
        ${card('Spans', html`
          <div class="scroll" tabindex="0" role="region" aria-label="Spans"><table><thead><tr><th scope="col">Kind</th><th scope="col">Covers</th><th scope="col">Name</th></tr></thead>
            <tbody>${(isWhole ? found.spans : found.spans.slice(0, SHOWN)).map(row)}</tbody></table></div>
          ${!isWhole && found.spans.length > SHOWN ? html`<div class="pager">${button(`Show all ${number(found.spans.length)}`, () => { isWhole = true; update(); })}</div>` : nothing}`,
          html`<span class="quiet">${counted(found.spans.length, 'span')}, times in ${found.timeZone ?? 'UTC'}</span>`)}
        ${card('Definition', html`<pre class="json" tabindex="0" aria-label="Definition of the calendar">${json(definition(found, SHOWN))}</pre>`)}`}`,
  };
}

/** In words, as far as the span has some. */
function covers(span, kind) {
  const lasts = span.lasts ? ` for ${span.lasts}` : '';
  switch (kind) {
    case 'date': return span.date;
    case 'weekDays': return [span.weekDays].flat().join(', ');
    case 'from': return `${span.from} to ${span.to}`;
    case 'cron': return html`<code>${span.cron}</code>${lasts}`;
    case 'rrule': return html`<code>${[span.rrule].flat().join(' ')}</code>${lasts}`;
    default: return html`<code>${JSON.stringify(span)}</code>`;
  }
}

function definition({ name, leftOut, ...rest }, most = Infinity) {
  return rest.spans.length > most ? { ...rest, spans: rest.spans.slice(0, most) } : rest;
}

/** One that jobs name is deleted only after a second question, in which the server says how many they are. */
async function remove(place, name, done) {
  if (!await confirmed('Delete a calendar', html`<p>Delete <strong>${place.title(name)}</strong>? This cannot be undone.</p>`, 'Delete', 'danger')) return;
  try {
    await call('DELETE', place.calendarPath(name));
  } catch (refused) {
    if (refused.status !== 409) { tell(refused); return; }
    if (!await confirmed('Jobs name this calendar', html`<p>${refused.message}</p><p>They would run without it.</p>`, 'Delete anyway', 'danger')) return;
    try {
      await call('DELETE', `${place.calendarPath(name)}?force=true`);
    } catch (again) {
      tell(again);
      return;
    }
  }
  toast(`${name} deleted.`);
  done();
}

const tell = refused => dialog('It was refused', problem(refused), [{ text: 'Close', act: close => close() }]);

/** What an import left out, and why. */
const missing = (count, events) => html`<p>${counted(count, 'event')} of the file ${count === 1 ? 'was' : 'were'} left out:</p>
  <div class="scroll" tabindex="0" role="region" aria-label="Left out"><table><thead><tr><th scope="col">Event</th><th scope="col">Reason</th></tr></thead>
    <tbody>${events.map(one => html`<tr><td class="words">${one.event}</td><td class="words">${one.reason}</td></tr>`)}</tbody></table></div>
  ${count > events.length ? html`<p class="quiet">and ${number(count - events.length)} more</p>` : nothing}`;

/** A calendar from a file, or from JSON that is typed; of an existing one all is replaced. */
function edit(place, existing, done, before) {
  let name = existing ?? '', text = JSON.stringify(before ? definition(before) : EXAMPLE, null, 2), file, isTransparent = false, failure;

  const form = () => html`
    ${existing ? html`<p>All spans of <strong>${existing}</strong> are replaced.</p>`
      : html`<label><span>Name</span><input name="calendar" autofocus required pattern="[A-Za-z0-9][A-Za-z0-9_.\\-]{0,127}" autocomplete="off" spellcheck="false" placeholder="holidays-de" @input=${event => { name = event.target.value.trim(); }}></label>`}
    <label><span>A file of iCalendar (.ics)</span><input name="file" type="file" accept=".ics,text/calendar" @change=${event => { file = event.target.files[0]; shown.draw(form()); }}></label>
    ${file ? html`<p class="quiet">${file.name} is uploaded when you save. <button type="button" class="link" @click=${() => { file = undefined; document.querySelector('dialog[open] [name=file]').value = ''; shown.draw(form()); }}>Write JSON instead</button></p>
      <label class="tick"><input name="transparent" type="checkbox" .checked=${isTransparent} @change=${event => { isTransparent = event.target.checked; }}><span>Count timed events that are marked as free time, too. All-day events always count.</span></label>` : html`
      <label><span>Or as JSON</span><textarea class="json" name="spans" rows="10" spellcheck="false" .value=${text} @input=${event => { text = event.target.value; }}></textarea></label>`}
    ${problem(failure)}`;

  async function save(close) {
    try {
      if (name === '') throw { message: 'A calendar needs a name.' };
      const answer = await open('PUT', place.calendarPath(name) + (file && isTransparent ? '?includeTransparent=true' : ''), file ? await file.text() : text,
        { headers: { 'Content-Type': file ? 'text/calendar' : 'application/json', ...(existing ? {} : { 'If-None-Match': '*' }) } });
      const { leftOut, leftOutEvents } = await answer.json();
      close();
      toast(`${name} saved.`);
      if (leftOut > 0) await dialog('Imported', missing(leftOut, leftOutEvents), [{ text: 'Close', act: shut => shut() }]).closed;
      done(name);
    } catch (refused) {
      failure = refused.status === 412 ? { message: `There is a calendar '${name}' already.` } : refused;
      shown.draw(form());
    }
  }

  const shown = dialog(existing ? `Replace ${existing}` : 'New calendar', form(),
    [{ text: 'Cancel', act: close => close() }, { text: 'Save', classes: 'primary', act: save }]);
}
