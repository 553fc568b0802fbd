// What is said of a pause when something is disabled: why, and until when.

import { html } from './lit-html.js';

const LONGEST_NOTE = 500;

/** Fields for a dialog; the body of the request is what stands in them when it is sent. */
export function pause() {
  const said = {};
  const set = (property, value) => { said[property] = value === '' ? undefined : value; };
  return {
    body: said,
    view: html`
      <label><span>Because</span><input name="note" maxlength=${LONGEST_NOTE} autocomplete="off" @input=${event => set('note', event.target.value.trim())}></label>
      <label><span>Until, in your time zone</span><input name="until" type="datetime-local"
        @input=${event => set('until', event.target.value && new Date(event.target.value).toISOString())}></label>`,
  };
}
