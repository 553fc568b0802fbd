// The nodes that share this Redis, and how to get at what each measures.

import { html, nothing } from './lit-html.js';
import { open } from './api.js';
import { bytes, number } from './format.js';
import { paged } from './paged.js';
import { refreshing } from './refresh.js';
import { badge, card, problem, skeleton, time } from './ui.js';

const EVERY = 5000;
const STATES = { alive: 'good', leaving: 'warn', dead: 'bad' };
const CHECKS = { up: 'good', warning: 'warn', down: 'bad' };

export function nodes({ update }) {
  const list = paged(update, '/nodes?$top=50');
  let health, isClosed = false;
  const refresh = refreshing(load);

  /** A node that is not ready says so with a 503, which has the same body. */
  async function look() {
    health = await fetch('/health/ready', { headers: { Accept: 'application/json', 'carillon-console': '1' }, credentials: 'same-origin', cache: 'no-store' })
      .then(answer => answer.json()).catch(() => undefined);
  }

  async function load() {
    refresh.stop();
    await Promise.all([list.load(), look()]);
    if (isClosed) return;
    update();
    refresh.soon(EVERY);
  }

  const row = node => html`<tr>
    <td class="name"><code>${node.id}</code>${health?.node === node.id ? html` <span class="quiet">serves this page</span>` : nothing}</td>
    <td class="gate">${badge(node.state, STATES[node.state] ?? 'quiet')}</td>
    <td data-label="Heartbeat">${time(node.lastBeat)}</td>
    <td data-label="Up since">${time(node.started)}</td>
    <td data-label="Does">${node.roles?.join(', ') ?? '–'}</td>
    <td data-label="Version">${node.version ?? '–'}</td>
    <td data-label="Time zones">${node.tzdata ?? '–'}</td>
    <td class="num" data-label="First for" title="partitions that it polls as the first, the second, the third and the fourth: ${node.partitionsByRank?.join(', ') ?? 'unknown'}">${node.partitionsByRank?.length && node.state !== 'dead' ? number(node.partitionsByRank[0]) : '–'}</td>
    <td class="num" data-label="In flight">${node.inFlight === undefined ? '–' : number(node.inFlight)}</td>
    <td class="num" data-label="Taken over">${node.takenOver === undefined ? '–' : number(node.takenOver)}</td></tr>`;

  load();
  return {
    title: 'Nodes',
    close() {
      isClosed = true;
      refresh.stop();
      list.close();
    },
    view: () => html`
      <div class="head"><h1>Nodes</h1><div class="actions"><a class="button" href="#/metrics">Metrics of this node</a></div></div>
      ${problem(list.failure)}
      ${list.entries ? html`
        ${mixed(list.entries)}
        <div class="card scroll"><table class="collections nodes">
          <thead><tr><th scope="col">Node</th><th scope="col">State</th><th scope="col">Heartbeat</th><th scope="col">Up since</th><th scope="col">Does</th>
            <th scope="col">Version</th><th scope="col">Time zones</th><th scope="col" class="num">First for</th><th scope="col" class="num">In flight</th><th scope="col" class="num">Taken over</th></tr></thead>
          <tbody>${list.entries.map(row)}</tbody>
        </table></div>
        ${list.buttons()}
        <p class="caption">First for: partitions that the node polls before all others; together they are all partitions. In flight: calls that it holds. Taken over: calls of dead nodes that it let wait again. A dead node stays listed for an hour.</p>`
      : list.failure ? nothing : skeleton()}
      ${health?.checks ? card(`Health of ${health.node ?? 'this node'}`, html`
        <ul class="attention">${health.checks.map(check => html`<li>${badge(check.status, CHECKS[check.status] ?? 'quiet')}<div><strong>${check.name}</strong>${check.reason ? html`<p>${check.reason}</p>` : nothing}</div></li>`)}</ul>`,
        html`<span class="quiet">durability ${health.durability ?? 'unknown'}</span>`) : nothing}`,
  };
}

/** Nodes that differ where they should not. */
function mixed(all) {
  const alive = all.filter(node => node.state === 'alive');
  const differs = property => new Set(alive.map(node => node[property]).filter(Boolean)).size > 1;
  return html`
    ${differs('version') ? html`<p class="hint">The nodes run different versions: fine during an upgrade, not for long.</p>` : nothing}
    ${differs('tzdata') ? html`<p class="hint">The nodes know different rules of time zones; local times may differ between them.</p>` : nothing}`;
}

/** What the node that serves this page measures, as Prometheus reads it. */
export function metrics({ update, query }) {
  let families, failure, wanted = query.get('name') ?? '';

  async function load() {
    try {
      families = parse(await text());
      failure = undefined;
    } catch (refused) {
      failure = refused;
    }
    update();
  }

  load();
  return {
    title: 'Metrics',
    view: () => {
      const shown = families?.filter(family => family.name.includes(wanted) || family.help.toLowerCase().includes(wanted.toLowerCase()));
      return html`
        <div class="head"><h1><a href="#/nodes" class="crumb">Nodes</a> Metrics</h1><div class="actions"><button type="button" @click=${load}>Refresh</button></div></div>
        <p class="caption">Of the node that serves this page. Prometheus reads them at <code>${location.origin}/metrics</code>.</p>
        <div class="toolbar" role="search">
          <input type="search" aria-label="Search metrics" placeholder="Search by name or meaning  ( / )" .value=${wanted} @input=${event => { wanted = event.target.value.trim(); update(); }} autocomplete="off" spellcheck="false">
          <span class="quiet" role="status">${shown ? `${number(shown.length)} of ${number(families.length)}` : ''}</span></div>
        ${problem(failure)}
        ${shown ? html`<div class="card families">${shown.length === 0 ? html`<p class="quiet">No metric matches.</p>` : shown.map(({ name, help, samples }) => html`
          <details><summary><code>${name}</code> <span class="quiet">${help}</span> ${samples.length === 1 ? html`<strong>${reading(name, samples[0].split(' ').at(-1))}</strong>` : html`<span class="quiet">${number(samples.length)} series</span>`}</summary>
            <pre tabindex="0" aria-label="Samples of ${name}">${samples.join('\n')}</pre></details>`)}</div>` : failure ? nothing : skeleton()}`;
    },
  };
}

const READING = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** A sample as people read it; Prometheus is given 1.88592128E8. */
const reading = (name, sample) => Number.isNaN(Number(sample)) ? sample : name.endsWith('_bytes') ? bytes(Number(sample)) : READING.format(sample);

const text = () => open('GET', '/metrics', undefined, { headers: { Accept: 'text/plain' } }).then(answer => answer.text());

function parse(exposition) {
  const families = [];
  for (const line of exposition.split('\n')) {
    const [, name, help] = /^# HELP (\S+) ?(.*)$/.exec(line) ?? [];
    if (name) families.push({ name, help, samples: [] });
    else if (line !== '' && !line.startsWith('#')) families.at(-1)?.samples.push(line);
  }
  return families;
}
