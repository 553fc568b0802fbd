// Fields of a form over a document: each shows one place of it and writes there. An empty field
// leaves the place out. What the server says about a place stands under its field.

import { html, nothing } from './lit-html.js';
import { clockTime, clockValue, spanText, spanValue } from './inputs.js';

/** What stands at a place such as "action.request.uri". */
export const at = (document, place) => place.split('.').reduce((value, name) => value?.[name], document);

/** The document with another value at a place; undefined, or nothing in it, takes the place away. */
export function put(document, place, value) {
  const [name, ...rest] = place.split('.');
  const inner = rest.length === 0 ? value : put(document?.[name] ?? {}, rest.join('.'), value);
  const isNothing = inner === undefined || (rest.length > 0 && Object.keys(inner).length === 0);
  const { [name]: gone, ...others } = document ?? {};
  if (isNothing) return others;
  return gone === undefined ? { ...others, [name]: inner } : { ...document, [name]: inner };
}

const asNumber = text => text === '' ? undefined : /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
const asText = text => text === '' ? undefined : text;

const isLine = line => line.trim() === '' || line.indexOf(':') > 0;
const isMap = text => text.split('\n').every(isLine);

/** What is no map stays a text, which the server refuses: no line is lost without a word. */
const asMap = text => {
  if (!isMap(text)) return text;
  const pairs = text.split('\n').filter(line => line.trim() !== '').map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
};
const fromMap = map => typeof map === 'object' && map !== null ? Object.entries(map).map(([name, value]) => `${name}: ${value}`).join('\n') : String(map ?? '');

const asNumbers = text => {
  const parts = text.split(/[\s,]+/).filter(part => part !== '');
  return parts.length === 0 ? undefined : parts.map(asNumber);
};

const asNames = text => {
  const names = text.split(/[\s,]+/).filter(name => name !== '');
  return names.length === 0 ? undefined : names;
};

const ORDINAL = /^(\S+?)(?:[\s:]+(-?\d+))?$/;
const asOccurrences = text => {
  const parts = text.split(',').map(part => part.trim()).filter(part => part !== '');
  return parts.length === 0 ? undefined : parts.map(part => {
    const [, day, occurrence] = ORDINAL.exec(part) ?? [null, part];
    return occurrence === undefined ? { day } : { day, occurrence: Number(occurrence) };
  });
};
const fromOccurrences = list => Array.isArray(list) ? list.map(one => [one.day, one.occurrence].filter(part => part !== undefined).join(' ')).join(', ') : '';

const SPANS = ['1 s', '5 s', '10 s', '30 s', '1 min', '5 min', '15 min', '1 h', '6 h', '1 d'];
const ZONES = ['UTC', ...(Intl.supportedValuesOf?.('timeZone') ?? [])];

/** Fields over one document: form.document, form.set(place, value), form.message(place). */
export function fields(form) {
  const maps = new Set();
  const problem = place => {
    const message = form.message(place) && maps.has(place) && !isMap(form.drafts.get(place) ?? fromMap(at(form.document, place))) ? 'Each line is a name, a colon and a value.' : form.message(place);
    return message ? html`<span class="bad-text" id="problem-${place}">${message}</span>` : nothing;
  };

  const labelled = (place, label, control, classes = '') => html`
    <label class=${classes}><span>${label}</span>${control}${problem(place)}</label>`;

  // What is shown while one types is what one typed, not what it was understood as.
  const drafts = form.drafts;
  const line = (place, label, read, write, options = {}) => labelled(place, label, html`
    <input name=${place} type=${options.type ?? 'text'} list=${options.list ?? nothing} placeholder=${options.hint ?? ''} autocomplete="off" spellcheck="false"
      aria-invalid=${form.message(place) ? 'true' : 'false'} .value=${drafts.get(place) ?? write(at(form.document, place))}
      @input=${event => { drafts.set(place, event.target.value); form.set(place, read(event.target.value)); }}>`, options.classes);
  const area = (place, label, read, write, hint = '', left = () => {}) => labelled(place, label, html`
    <textarea name=${place} rows="3" placeholder=${hint} spellcheck="false" aria-invalid=${form.message(place) ? 'true' : 'false'}
      .value=${drafts.get(place) ?? write(at(form.document, place))} @change=${event => left(event.target.value)}
      @input=${event => { drafts.set(place, event.target.value); form.set(place, read(event.target.value)); }}></textarea>`, 'whole');
  const plain = value => value === undefined || value === null ? '' : String(value);

  /** By the clocks of a zone, told beside the label; a text that is no time is shown as it is, to be mended. */
  const instant = (place, label, { zone, hasZone, absent }) => {
    const stored = plain(at(form.document, place));
    const shown = stored === '' ? '' : clockTime(stored, zone);
    if (shown === undefined) return line(place, `${label} (${zone})`, asText, plain, { hint: '2030-01-31T08:00:00' });
    return labelled(place, `${label} (${zone})`, html`
      <input name=${place} type="datetime-local" step=${/:\d\d\./.test(shown) ? '0.001' : '1'} aria-invalid=${form.message(place) ? 'true' : 'false'} .value=${shown}
        @input=${({ target }) => { if (!target.validity.badInput) form.set(place, target.value === '' ? undefined : clockValue(target.value, hasZone)); }}>
      ${shown === '' ? html`<span class="caption">${absent}</span>` : nothing}`);
  };

  const duration = (place, label, options = {}) => line(place, label, text => text.trim() === '' ? undefined : spanValue(text), value => plain(value) === '' ? '' : spanText(value), { ...options, list: 'spans' });

  return {
    instant,
    duration,
    /** What fields of spans and of zones offer; once on a page. */
    lists: () => html`<datalist id="spans">${SPANS.map(one => html`<option value=${one}></option>`)}</datalist>
      <datalist id="zones">${ZONES.map(one => html`<option value=${one}></option>`)}</datalist>`,
    text: (place, label, options) => line(place, label, asText, plain, options),
    lines: (place, label, hint) => area(place, label, asText, value => Array.isArray(value) ? value.join('\n') : plain(value), hint),
    secret: (place, label) => line(place, label, asText, plain, { type: 'password', hint: form.keepsSecrets ? 'left empty: stays as it is' : '' }),
    number: (place, label, options) => line(place, label, asNumber, plain, options),
    numbers: (place, label, options) => line(place, label, asNumbers, list => Array.isArray(list) ? list.join(', ') : plain(list), options),
    names: (place, label, options) => line(place, label, asNames, list => Array.isArray(list) ? list.join(', ') : plain(list), options),
    occurrences: (place, label, options) => line(place, label, asOccurrences, fromOccurrences, options),
    area: (place, label, hint) => area(place, label, asText, plain, hint),
    /** left: called with the text when the field is left. A body that is JSON is shown as its text. */
    body: (place, label, left) => area(place, label, asText, value => typeof value === 'object' && value !== null ? JSON.stringify(value) : plain(value), '', left),
    map: (place, label) => maps.add(place) && area(place, label, asMap, fromMap, 'Name: value'),
    choice: (place, label, choices, choose = value => form.set(place, asText(value)), current = at(form.document, place)) => labelled(place, label, html`
      <select name=${place} @change=${event => choose(event.target.value)}>${choices.map(([value, text]) => html`
        <option value=${value} ?selected=${String(current ?? '').toLowerCase() === value.toLowerCase()}>${text}</option>`)}</select>`),
    several: (place, label, choices) => html`<fieldset class="whole"><legend>${label}</legend>${choices.map(([value, text]) => {
      const list = at(form.document, place) ?? [];
      const isChosen = Array.isArray(list) && list.includes(value);
      return html`<label class="tick"><input type="checkbox" .checked=${isChosen} @change=${() => {
        const next = choices.map(([one]) => one).filter(one => (one === value) !== list.includes(one));
        form.set(place, next.length === 0 ? undefined : next);
      }}>${text}</label>`;
    })}${problem(place)}</fieldset>`,
  };
}
