// Attempts as they end, of all nodes. A bounded number of lines is kept; what
// the server had to leave out is told.

import { html, nothing } from './lit-html.js';
import { open } from './api.js';
import { counted, moment, number, span } from './format.js';
import { jobLink, link } from './place.js';
import { code } from './runs.js';
import { badge, button, gist, messageCell, outcome, problem } from './ui.js';
import { zoneName } from './zone.js';

const MOST = 300;
const AGAIN = 2000;
const STATUSES = ['completed', 'failed', 'skipped'];

/** Reads a stream of server-sent events: calls back with the name and data of each. */
async function events(answer, callback) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').filter(line => !line.startsWith(':')).map(line => line.split(/: (.*)/s, 2)));
      if (fields.event) callback(fields.event, JSON.parse(fields.data));
    }
  }
}

export function live({ update, query }) {
  let lines = [], held = [], lost = 0, seen = 0, isPaused = false, isOpen = false, node, failure, again, stop, chosen, isClosed = false;
  const nodes = new Set();
  const filter = Object.fromEntries(['collection', 'job', 'status'].map(name => [name, query.get(name) ?? '']));
  const filtered = () => new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));

  async function watch() {
    stop?.abort();
    clearTimeout(again);
    const mine = stop = new AbortController();
    try {
      const answer = await open('GET', `/console/executions?${filtered()}`, undefined, { signal: mine.signal, headers: { Accept: 'text/event-stream' } });
      isOpen = true;
      failure = undefined;
      update();
      await events(answer, take);
    } catch (refused) {
      if (refused.name !== 'AbortError') failure = refused;
    }
    if (isClosed || mine !== stop) return;
    isOpen = false;
    update();
    again = setTimeout(watch, AGAIN);
  }

  function take(event, data) {
    if (event === 'lost') lost += data;
    else if (event === 'node') nodes.add(node = data);
    else {
      seen += data.length;
      data.forEach(line => nodes.add(line.node));
      const news = [...data].reverse();
      if (isPaused) held = [...news, ...held].slice(0, MOST);
      else lines = [...news, ...lines].slice(0, MOST);
    }
    update();
  }

  function pause() {
    isPaused = !isPaused;
    if (!isPaused) { lines = [...held, ...lines].slice(0, MOST); held = []; }
    update();
  }

  let typing;
  const narrow = field => event => {
    filter[field] = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const said = filtered();
      history.replaceState(undefined, '', link(`/live${said.size > 0 ? `?${said}` : ''}`));
      lines = [];
      held = [];
      watch();
      update();
    }, 250);
  };

  const key = line => `${line.collection}/${line.job}/${line.id}`;
  const where = line => [line.subscription, line.group];
  const isDefault = line => where(line).join('/') === 'default/default';
  const row = line => html`
    <tr class=${chosen === key(line) ? 'selected' : ''}>
      <td><button type="button" class="link" aria-expanded=${chosen === key(line)} @click=${() => { chosen = chosen === key(line) ? undefined : key(line); update(); }}>${moment(line.endTime, true).slice(11)}</button></td>
      <td class="status">${outcome(line.status)}</td>
      <td data-label="code">${code(line)}</td>
      <td class="name"><a class="row" href=${jobLink(line.collection, line.job, where(line))}>${isDefault(line) ? '' : `${where(line).join('/')}/`}${line.collection}/${line.job}</a>${nodes.size > 1 ? html` <span class="quiet">on ${line.node}</span>` : nothing}</td>
      <td class="num" data-label="took">${span(new Date(line.endTime) - new Date(line.startTime))}</td>
      <td class="num" data-label=${line.retryCount > 0 ? nothing : 'late'}>${line.retryCount > 0 ? badge(`retry ${line.retryCount}`, 'quiet') : span(Math.max(0, new Date(line.startTime) - new Date(line.expectedExecutionTime)))}</td>
      ${messageCell(gist(line))}</tr>
    ${chosen === key(line) ? html`<tr class="detail"><td colspan="7"><pre tabindex="0" aria-label="Whole answer">${line.body || (line.error?.message ?? line.message)}</pre></td></tr>` : nothing}`;

  watch();
  return {
    title: 'Live',
    close() { isClosed = true; stop.abort(); clearTimeout(again); clearTimeout(typing); },
    keys: pressed => { if (pressed === 'p') { pause(); return true; } return false; },
    view: () => html`
      <div class="head"><h1>Live ${isOpen ? badge(isPaused ? 'paused' : 'watching', isPaused ? 'warn' : 'good') : badge('connecting', 'quiet')}</h1>
        <div class="actions">${button(isPaused ? `Go on${held.length > 0 ? ` (${number(held.length)}${held.length >= MOST ? '+' : ''} new)` : ''}` : 'Pause', pause, 'primary')}
          ${button('Clear', () => { lines = []; held = []; lost = 0; update(); })}</div></div>
      <p class="caption">Attempts of all nodes as they end, newest first. This page keeps the last ${number(MOST)}. Attempts of nodes other than ${node ? html`<code>${node}</code>, which serves this page,` : 'the one that serves this page'} arrive a moment later.</p>
      <div class="toolbar" role="search">
        <input type="search" aria-label="Collection" placeholder="Collection" .value=${filter.collection} @input=${narrow('collection')} autocomplete="off" spellcheck="false">
        <input type="search" aria-label="Part of the job's name" placeholder="Part of the job's name" .value=${filter.job} @input=${narrow('job')} autocomplete="off" spellcheck="false">
        <select aria-label="Status" @change=${narrow('status')}>${['', ...STATUSES].map(word => html`<option value=${word} ?selected=${filter.status === word}>${word || 'any status'}</option>`)}</select>
        <span class="quiet">${counted(seen, 'attempt')} seen</span>
      </div>
      ${problem(failure)}
      ${lost > 0 ? html`<div class="problem" role="status">${counted(lost, 'line was', 'lines were')} left out: there are more than this page can show. Narrow the filter.</div>` : nothing}
      <div class="card scroll"><table class="live">
        <thead><tr><th scope="col">Ended (${zoneName()})</th><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Job</th><th scope="col" class="num">Took</th><th scope="col" class="num">Late</th><th scope="col">Message</th></tr></thead>
        <tbody>${lines.length === 0 ? html`<tr><td colspan="7" class="quiet">Waiting for the next attempt …</td></tr>` : lines.map(row)}</tbody>
      </table></div>`,
  };
}
