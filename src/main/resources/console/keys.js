// API keys: who has which, made here and shown once, revoked.

import { html, nothing } from './lit-html.js';
import { call } from './api.js';
import { confirmed, dialog } from './dialog.js';
import { paged } from './paged.js';
import { forbidden } from './parts.js';
import { group } from './place.js';
import { isOpenToEverybody, may } from './session.js';
import { toast } from './toast.js';
import { badge, button, copy, problem, skeleton, time, upcoming } from './ui.js';

const ROLES = [['reader', 'reader: sees'], ['operator', 'operator: also runs and pauses'], ['writer', 'writer: also changes jobs'], ['admin', 'admin: everything, also keys']];
const LONG = 90 * 24 * 3600_000;

export function keys({ update }) {
  const isAdmin = may('admin', '*');
  const list = paged(update, '/keys?$top=50');
  let note;

  async function revoke(key) {
    const sure = await confirmed('Revoke a key', html`<p>Revoke the key <code>${key.id}</code> of <strong>${key.client}</strong>? Requests with it are refused within seconds. This cannot be undone.</p>`, 'Revoke', 'danger');
    if (!sure) return;
    note = undefined;
    await call('DELETE', `/keys/${encodeURIComponent(key.id)}`).then(() => toast(`Key of ${key.client} revoked.`), refused => { note = refused; });
    await list.load();
  }

  const row = key => html`<tr>
    <td class="name"><strong>${key.client}</strong><div class="quiet"><code>${key.id}</code></div></td>
    <td class="gate">${keyState(key)}</td>
    <td class="grants" data-label="May">${key.grants.map(grant => html`<code class="chip">${grant}</code> `)}</td>
    <td data-label="Last used">${key.lastUsed ? time(key.lastUsed) : html`<span class="quiet">never</span>`}</td>
    <td data-label="Created">${time(key.created)} <span class="quiet">by ${key.by}</span></td>
    <td data-label="Expires">${key.expires ? upcoming(key.expires) : html`<span class="quiet">never</span>`}</td>
    <td class="actions">${button('Revoke', () => revoke(key), 'small danger')}</td></tr>`;

  if (isAdmin) list.load();
  return {
    title: 'API keys',
    close: list.close,
    keys(pressed) {
      if (pressed !== 'n' || !isAdmin) return false;
      create(list.load);
      return true;
    },
    view: () => html`
      <div class="head"><h1>API keys</h1><div class="actions">${button('New key', () => create(list.load), 'primary', !isAdmin)}</div></div>
      ${isOpenToEverybody() ? html`<p class="hint open" role="note"><strong>This node requires no key.</strong> Every client that reaches it may do everything, with any key or none. Keys limit clients once <code>access.accept</code> has <code>keys</code>.</p>` : nothing}
      ${problem(list.failure)}${problem(note)}
      ${!isAdmin ? forbidden('see and create API keys', 'admin', 'everything') : !list.entries ? list.failure ? nothing : skeleton() : list.entries.length === 0 ? empty() : html`
        <div class="card scroll"><table class="collections">
          <thead><tr><th scope="col">Client</th><th scope="col">State</th><th scope="col">May</th><th scope="col">Last used</th><th scope="col">Created</th><th scope="col">Expires</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
          <tbody>${list.entries.map(row)}</tbody></table></div>
        ${list.buttons()}
        <p class="caption">A client has at most two keys, so that it can change from one to the other. The server keeps only a checksum of each.</p>`}`,
  };
}

const empty = () => html`<div class="card empty"><h2>No key yet</h2>
  <p>Give each client its own key with only the rights that it needs. Create one here, or with a command:</p>
  <pre tabindex="0" aria-label="Command">curl -X POST ${location.origin}/keys -H 'Content-Type: application/json' -d '{"client": "deploy", "grants": ["writer:orders"]}'</pre></div>`;

function keyState({ expires, lastUsed, created }) {
  if (expires && new Date(expires) <= Date.now()) return badge('expired', 'warn');
  const since = Date.now() - new Date(lastUsed ?? created);
  return since > LONG ? html`<span title="not used for 90 days or longer">${badge('unused', 'warn')}</span>` : badge('active', 'good');
}

/** Asks for client, role, scope and end; then shows the key, this once. */
function create(done) {
  const order = { client: '', role: 'reader', scope: group(), expires: '' };
  let failure, shown, isBusy = false;
  const set = name => event => { order[name] = event.target.value.trim(); };
  const at = place => failure?.details?.find(one => one.target === place)?.message
    ?? (failure?.message?.startsWith(`${place}:`) || failure?.message?.startsWith(`${place}[`) ? failure.message : undefined);
  const said = place => at(place) ? html`<span class="bad-text" role="alert">${at(place)}</span>` : nothing;

  const form = () => html`
    <p>A key for one client. It is shown once, after this.</p>
    ${isOpenToEverybody() ? html`<p class="hint">It limits nothing while this node requires no key (<code>access.accept</code>).</p>` : nothing}
    <label><span>Client: who is to use it; logs and audit say so</span><input name="client" required maxlength="64" autocomplete="off" spellcheck="false" placeholder="deploy" @input=${set('client')}>${said('client')}</label>
    <label><span>Role</span><select name="role" @change=${set('role')}>${ROLES.map(([word, text]) => html`<option value=${word} ?selected=${order.role === word}>${text}</option>`)}</select></label>
    <label><span>Where: * for everything, a collection (orders), a prefix (orders-*), subscription/group, subscription/group/collection, or subscription/*</span><input name="scope" .value=${order.scope} required autocomplete="off" spellcheck="false" @input=${set('scope')}>${said('grants')}</label>
    <label><span>Until, in your time zone; empty: forever</span><input name="expires" type="datetime-local" @input=${set('expires')}>${said('expires')}</label>
    ${failure && !at('client') && !at('grants') && !at('expires') ? problem(failure) : nothing}`;

  async function make() {
    if (isBusy) return;
    isBusy = true;
    try {
      shown = await call('POST', '/keys', { client: order.client, grants: [`${order.role}:${order.scope}`], ...(order.expires ? { expires: new Date(order.expires).toISOString() } : {}) });
    } catch (refused) {
      failure = refused;
      asked.draw(form());
      isBusy = false;
      return;
    }
    asked.close();
    reveal(shown);
    done();
  }

  const asked = dialog('New API key', form(), [{ text: 'Cancel', act: close => close() }, { text: 'Create', classes: 'primary', act: make }]);
}

function reveal({ client, key, warnings }) {
  dialog(`Key of ${client}`, html`
    <p role="status"><strong>Copy it now: it is never shown again.</strong></p>
    <pre class="secret" tabindex="0" aria-label="The key">${key}</pre>
    <p>${button('Copy the key', event => copy(event, key))}</p>
    <p class="quiet">Send it as <code>Authorization: Bearer …</code>:</p>
    <pre tabindex="0" aria-label="Command">curl -H 'Authorization: Bearer ${key}' ${location.origin}/jobcollections</pre>
    ${warnings?.length ? warnings.map(one => html`<p class="hint">${one}</p>`) : nothing}`, [{ text: 'Done', classes: 'primary', act: close => close() }]);
}
