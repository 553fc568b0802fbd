// What several pages show when there is nothing: how to begin.

import { html, nothing } from './lit-html.js';
import { group } from './place.js';
import { isOpenToEverybody } from './session.js';
import { copy } from './ui.js';

/** An empty page that says what would be here, and how it gets there. commands: [text] */
export const empty = (title, text, commands = [], extra = nothing) => html`
  <section class="card teach"><h2>${title}</h2><p>${text}</p>
    ${commands.map(command => html`<div class="command"><pre tabindex="0" aria-label="Command">${command}</pre>
      <button type="button" class="small" aria-label="Copy the command" @click=${event => copy(event, command)}>Copy</button></div>`)}
    ${extra}</section>`;

/** What stands in a page's place where the key of the caller does not let them do it: what that takes. */
export const forbidden = (what, role, where) => html`
  <section class="card teach" role="note"><h2>Not with your key</h2><p>To ${what}, a key needs the role <strong>${role}</strong> for ${where}.</p></section>`;

/** A choice of groups: aside where only those of the default group are looked at, which may be all there are. */
export const aside = (isOpen, form) => isOpen || group() !== 'default/default' ? form
  : html`<details class="aside"><summary>Other groups</summary>${form}</details>`;

const headers = () => `-H 'Content-Type: application/json'${isOpenToEverybody() ? '' : ' -H "Authorization: Bearer $CARILLON_KEY"'}`;

/** A job that calls a URL every minute, as a command for the address of this server. */
export const firstJob = () => `curl -X PUT ${location.origin}/jobcollections/default/jobs/hello \\
  ${headers()} \\
  -d '{"action": {"type": "http", "request": {"method": "GET", "uri": "https://example.org/"}}, "recurrence": {"frequency": "minute"}}'`;

/** The first job of the README, one that ends, as a command for the address of this server. */
export const firstCall = () => `curl ${location.origin}/call ${headers()} \\
  -d '{"url": "https://example.org/", "every": "5s", "count": 3, "id": "hello"}'`;
