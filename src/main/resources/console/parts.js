// What several pages show while they have nothing yet: the outline of a table, or how to begin.

import { html, nothing } from './lit-html.js';
import { copy } from './ui.js';

/** Rows of nothing, in place of what is on its way. */
export const skeleton = (rows = 6) => html`
  <div class="outline" role="status" aria-label="Loading"><span class="sr">Loading …</span>
    ${Array.from({ length: rows }, (_, i) => html`<div class="bone b${i % 3}"></div>`)}</div>`;

/** An empty page that says what would be here, and how it gets there. commands: [text] */
export const empty = (title, text, commands = [], extra = nothing) => html`
  <section class="card teach"><h2>${title}</h2><p>${text}</p>
    ${commands.map(command => html`<div class="command"><pre tabindex="0" aria-label="Command">${command}</pre>
      <button type="button" class="small" aria-label="Copy the command" @click=${event => copy(event, command)}>Copy</button></div>`)}
    ${extra}</section>`;

/** A job that calls this server every minute, as a command for this address. */
export const firstJob = () => `curl -X PUT ${location.origin}/jobcollections/default/jobs/hello \\
  -H 'Content-Type: application/json' -H "Authorization: Bearer $CARILLON_KEY" \\
  -d '{"action": {"type": "http", "request": {"method": "GET", "uri": "https://example.org/"}}, "recurrence": {"frequency": "minute"}}'`;
