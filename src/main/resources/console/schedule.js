// The builder of a schedule: once, every so often, on weekdays, monthly, or as a cron expression, with what the
// server says of it while one types. Days are written as a cron expression, which does not also run at once.

import { html, nothing } from './lit-html.js';
import { call } from './api.js';
import { at, put } from './fields.js';
import { relative } from './format.js';

const TYPING = 250;
const LISTED = 5;
const MODES = { once: 'Once', every: 'Every', weekdays: 'Weekdays at', monthly: 'Monthly on', cron: 'Cron', more: 'All options' };
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'];
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const LONG = { MON: 'Monday', TUE: 'Tuesday', WED: 'Wednesday', THU: 'Thursday', FRI: 'Friday', SAT: 'Saturday', SUN: 'Sunday' };
const NTH = [['#1', 'first'], ['#2', 'second'], ['#3', 'third'], ['#4', 'fourth'], ['L', 'last']];

const ON_DAYS = /^(\d{1,2}) (\d{1,2}) \* \* ((?:[A-Z]{3}(?:-[A-Z]{3})?)(?:,[A-Z]{3}(?:-[A-Z]{3})?)*|\*)$/;
const ON_DATE = /^(\d{1,2}) (\d{1,2}) (\d{1,2}|L) \* \*$/;
const ON_NTH = /^(\d{1,2}) (\d{1,2}) \* \* ([A-Z]{3})(#[1-4]|L)$/;

const pad = number => String(number).padStart(2, '0');

/** "MON-FRI" or "MON,WED" as days; undefined where one is no day. */
function daysOf(text) {
  if (text === '*') return [...DAYS];
  const days = text.split(',').flatMap(part => {
    const [first, last = first] = part.split('-').map(day => DAYS.indexOf(day));
    return first < 0 || last < first ? [undefined] : DAYS.slice(first, last + 1);
  });
  return days.includes(undefined) ? undefined : days;
}

function textOf(days) {
  const sorted = DAYS.filter(day => days.includes(day));
  if (sorted.length === 7) return '*';
  const first = DAYS.indexOf(sorted[0]);
  const isRun = sorted.length > 2 && sorted.every((day, i) => DAYS[first + i] === day);
  return isRun ? `${sorted[0]}-${sorted.at(-1)}` : sorted.join(',');
}

/** What a cron expression means where one of the pickers can say it. */
function parts(cron) {
  const text = String(cron).trim().toUpperCase();
  const days = ON_DAYS.exec(text);
  if (days && daysOf(days[3])) return { mode: 'weekdays', minute: days[1], hour: days[2], days: daysOf(days[3]) };
  const date = ON_DATE.exec(text);
  if (date) return { mode: 'monthly', minute: date[1], hour: date[2], date: date[3] };
  const nth = ON_NTH.exec(text);
  return nth && LONG[nth[3]] ? { mode: 'monthly', minute: nth[1], hour: nth[2], day: nth[3], nth: nth[4] } : undefined;
}

/** The pickers that can show a recurrence, the plainest first. */
function fitting(recurrence) {
  if (!recurrence) return ['once'];
  if (typeof recurrence !== 'object') return ['more'];
  if (recurrence.cron !== undefined) {
    const isUnix = [undefined, 'unix'].includes(recurrence.cronDialect);
    return [...(isUnix && parts(recurrence.cron) ? [parts(recurrence.cron).mode] : []), 'cron', 'more'];
  }
  const isPlain = recurrence.frequency !== undefined && recurrence.schedule === undefined && UNITS.includes(String(recurrence.frequency).toLowerCase());
  return isPlain ? ['every', 'more'] : ['more'];
}

/**
 * A builder over a form: form.document, form.drafts, become(document). details(mode) draws the fields that go with a mode.
 */
export function scheduleBuilder(form, field, become, update, details) {
  let chosen, answer, refusal, typing, latest = 0;

  const recurrence = () => form.document?.recurrence;
  const mode = () => fitting(recurrence()).includes(chosen) ? chosen : fitting(recurrence())[0];
  const zone = () => at(form.document, 'timeZone') || at(form.document, 'recurrence.timeZone') || 'UTC';
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

  /** With a schedule of another kind; when it ends stays. */
  function repeat(kind) {
    const { frequency, interval, schedule, cron, cronDialect, rrule, ...kept } = recurrence() ?? {};
    form.drafts.clear();
    become(put(form.document, 'recurrence', { ...kind, ...kept }));
  }

  function choose(next) {
    chosen = next;
    if (fitting(recurrence()).includes(next)) return update();
    switch (next) {
      case 'once': form.drafts.clear(); return become(['recurrence', 'missed', 'overlap', 'bufferMax'].reduce((left, one) => put(left, one, undefined), form.document));
      case 'every': return repeat({ frequency: 'minute', interval: 5 });
      case 'weekdays': return repeat({ cron: '0 9 * * MON-FRI' });
      case 'monthly': return repeat({ cron: '0 9 1 * *' });
      case 'cron': return repeat({ cron: '0 9 * * *' });
      default: return repeat({ frequency: 'day', interval: 1 });
    }
  }

  const time = ({ hour, minute }, write) => html`<label><span>At (${zone()})</span><input type="time" name="at" required .value=${`${pad(hour)}:${pad(minute)}`}
    @change=${event => { if (event.target.value) write(event.target.value.split(':').map(Number)); }}></label>`;

  function onDays() {
    const { hour, minute, days } = parts(recurrence().cron);
    const write = (chosenDays, [h, m]) => repeat({ cron: `${m} ${h} * * ${textOf(chosenDays)}` });
    const toggle = day => {
      const next = days.includes(day) ? days.filter(one => one !== day) : [...days, day];
      if (next.length > 0) write(next, [hour, minute].map(Number));
      else update();
    };
    const all = (text, some) => html`<button type="button" class="small" @click=${() => write(some, [hour, minute].map(Number))}>${text}</button>`;
    return html`
      ${time({ hour, minute }, chosenTime => write(days, chosenTime))}
      <fieldset class="day-chips"><legend>On</legend>${DAYS.map(day => html`<label class="day-chip"><input type="checkbox" .checked=${days.includes(day)} @change=${() => toggle(day)}><span title=${LONG[day]}>${LONG[day].slice(0, 3)}</span></label>`)}
        ${all('Mon to Fri', DAYS.slice(0, 5))} ${all('Every day', DAYS)}</fieldset>`;
  }

  function monthly() {
    const known = parts(recurrence().cron);
    const write = ({ hour, minute, date, day, nth }) => repeat({ cron: date ? `${minute} ${hour} ${date} * *` : `${minute} ${hour} * * ${day}${nth}` });
    const dates = [...Array.from({ length: 31 }, (_, i) => [String(i + 1), `day ${i + 1}`]), ['L', 'last day']];
    return html`
      ${time(known, ([hour, minute]) => write({ ...known, hour, minute }))}
      <label><span>On</span><select name="on" @change=${event => {
        const [nth, date] = event.target.value.split(':');
        write({ ...known, ...(nth ? { date: undefined, nth, day: known.day ?? 'MON' } : { date }) });
      }}>
        <optgroup label="Day of the month">${dates.map(([value, text]) => html`<option value=":${value}" ?selected=${known.date === value}>the ${text}</option>`)}</optgroup>
        <optgroup label="Weekday of the month">${NTH.map(([value, text]) => html`<option value="${value}:" ?selected=${known.nth === value}>the ${text} …</option>`)}</optgroup>
      </select></label>
      ${known.nth ? html`<label><span>Weekday</span><select name="weekday" @change=${event => write({ ...known, day: event.target.value })}>${DAYS.map(day => html`
        <option value=${day} ?selected=${known.day === day}>${LONG[day]}</option>`)}</select></label>` : nothing}`;
  }

  const every = () => html`
    ${field.number('recurrence.interval', 'Every', { type: 'number', hint: '1' })}
    ${field.choice('recurrence.frequency', 'Unit', UNITS.map(unit => [unit, Number(at(form.document, 'recurrence.interval') ?? 1) === 1 ? unit : `${unit}s`]))}`;

  const cron = () => html`
    ${field.text('recurrence.cron', 'Cron expression', { hint: 'minute hour day month weekday' })}
    ${field.choice('recurrence.cronDialect', 'Written as in', [['', 'crontabs'], ['quartz', 'Quartz'], ['aws', 'EventBridge']])}`;

  const PICKERS = { every, weekdays: onDays, monthly, cron };

  // --- what the server says of it

  /** To be called after each change; the newest answer counts, whatever order they come in. */
  function changed() {
    clearTimeout(typing);
    typing = setTimeout(explain, TYPING);
  }

  async function explain() {
    const mine = ++latest;
    if (!recurrence()) {
      answer = refusal = undefined;
      return update();
    }
    const { startTime, timeZone, dst } = form.document;
    try {
      const found = await call('POST', '/explain', { startTime, timeZone, dst, recurrence: recurrence(), top: LISTED });
      if (mine !== latest) return;
      answer = found;
      refusal = undefined;
    } catch (refused) {
      if (mine !== latest) return;
      answer = undefined;
      refusal = refused;
    }
    update();
  }

  const local = one => one.local ? html`${one.local.slice(0, 16).replace('T', ' ')} <span class="quiet">${one.local.slice(16).replace(/^:\d\d(\.\d+)?/, '')}</span>` : one.at.slice(0, 16).replace('T', ' ');

  const explanation = () => !recurrence() ? nothing : html`<div class="explained" role="status" aria-label="What the schedule means">
    ${refusal ? html`<p class="bad-text">${refusal.message}</p>` : !answer ? html`<p class="quiet">…</p>` : html`
      <p class="words">${answer.words}</p>
      ${answer.occurrences.length === 0 ? html`<p class="bad-text">It never runs.</p>` : html`
        <ol class="next">${answer.occurrences.map(one => html`<li>${local(one)} <span class="quiet">· ${relative(one.at)}${one.why ? `, ${one.why}` : ''}</span></li>`)}</ol>`}
      ${(answer.warnings ?? []).map(one => html`<p class="warning">${one.message}</p>`)}
      ${mode() !== 'cron' && answer.same?.unix ? html`<p class="quiet">As in a crontab: <code>${answer.same.unix.recurrence.cron}</code></p>` : nothing}`}</div>`;

  return {
    changed,
    close() { clearTimeout(typing); latest = Infinity; },
    view() {
      const shown = mode();
      return html`
        <fieldset class="segments"><legend class="sr">Repeats</legend>${Object.entries(MODES).map(([word, text]) => html`
          <label><input type="radio" name="repeats" value=${word} .checked=${shown === word} @change=${() => choose(word)}><span>${text}</span></label>`)}</fieldset>
        ${PICKERS[shown] ? html`<div class="grid">${PICKERS[shown]()}</div>` : nothing}
        ${shown !== 'once' && shown !== 'every' && zone() === 'UTC' && own && own !== 'UTC' ? html`
          <p class="quiet">Times are UTC. <button type="button" class="link" @click=${() => become(put(form.document, 'timeZone', own))}>Use ${own}</button></p>` : nothing}
        ${explanation()}
        ${details(shown)}`;
    },
  };
}
