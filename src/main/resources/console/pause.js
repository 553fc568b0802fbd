// What is said of a pause when something is disabled: why, and until when.

import { html, nothing } from './lit-html.js';

const LONGEST_NOTE = 500;

/** Fields for a dialog; the body of the request is what stands in them when it is sent. plans: whether it may begin later. */
export function pause({ plans = false } = {}) {
  const said = {};
  const set = (property, value) => { said[property] = value === '' ? undefined : value; };
  const instant = (property, text) => html`<label><span>${text}</span><input name=${property} type="datetime-local"
        @input=${event => set(property, event.target.value && new Date(event.target.value).toISOString())}></label>`;
  return {
    body: said,
    view: html`
      <label><span>Because</span><input name="note" maxlength=${LONGEST_NOTE} autocomplete="off" @input=${event => set('note', event.target.value.trim())}></label>
      ${plans ? instant('from', 'From, in your time zone; empty: now') : nothing}
      ${instant('until', 'Until, in your time zone')}`,
  };
}
