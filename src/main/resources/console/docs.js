// The reference of the API: every operation and schema of /openapi.json, each with an address of its own.
import { html, nothing, render } from './lit-html.js';
import { get } from './api.js';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

let api;
let filter = '';

const app = document.getElementById('app');

/** What a reference stands for; anything else stands for itself. */
function resolved(value) {
  if (value?.$ref === undefined) return value;
  return value.$ref.slice(2).split('/').reduce((found, name) => found[name], api);
}

/** Paragraphs, lists, `code` and **bold**: the Markdown that the description has. */
function text(source) {
  if (source === undefined) return nothing;
  return html`<div class="text">${source.trim().split(/\n\s*\n/).map(block => /^\* /.test(block)
    ? html`<ul>${block.split(/\n(?=\* )/).map(item => html`<li>${words(item.slice(2))}</li>`)}</ul>`
    : html`<p>${words(block)}</p>`)}</div>`;
}

function words(line) {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(part =>
    part.startsWith('`') && part.length > 1 ? html`<code>${part.slice(1, -1)}</code>`
      : part.startsWith('**') && part.length > 4 ? html`<b>${part.slice(2, -2)}</b>` : part);
}

/** The type of a value in words, with links to the schemas that it names. */
function typeOf(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts !== undefined && schema.properties === undefined) return parts.map((part, i) => [i === 0 ? nothing : ' or ', typeOf(part)]);
  if (schema.allOf !== undefined) return schema.allOf.map((part, i) => [i === 0 ? nothing : ' and ', typeOf(part)]);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) return schema.enum.map((word, i) => html`${i === 0 ? nothing : ' | '}<code>${word}</code>`);
  if (schema.type === 'array') return html`array of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object' && schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    return html`map of ${typeOf(schema.additionalProperties)}`;
  }
  return [schema.type ?? 'any value'].flat().join(' or ');
}

/** What a value must keep to. */
function rules(schema) {
  const said = [];
  const add = (name, value) => { if (value !== undefined) said.push(`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`); };
  if (schema.readOnly) said.push('only in answers');
  if (schema.writeOnly) said.push('only in requests');
  add('format', schema.format);
  add('pattern', schema.pattern);
  add('at least', schema.minimum);
  add('more than', schema.exclusiveMinimum);
  add('at most', schema.maximum);
  add('shortest', schema.minLength);
  add('longest', schema.maxLength);
  add('fewest', schema.minItems);
  add('most', schema.maxItems);
  add('default', schema.default);
  add('such as', schema.examples?.[0]);
  return said.length === 0 ? nothing : html`<span class="rules">${said.join(', ')}</span>`;
}

/** The properties of an object, and those of the objects in it. */
function properties(schema) {
  if (schema.properties === undefined) return nothing;
  const needed = schema.required ?? [];
  return html`
    <table class="fields">
      <thead><tr><th>Property</th><th>Type</th><th>Meaning</th></tr></thead>
      <tbody>${Object.entries(schema.properties).map(([name, value]) => html`
        <tr>
          <td><code>${name}</code> ${needed.includes(name) ? html`<span class="needed">required</span>` : nothing}</td>
          <td>${typeOf(value)}</td>
          <td>${text(value.description)}${rules(value)}${inner(value)}</td>
        </tr>`)}</tbody>
    </table>`;
}

/** The properties of an object without a name of its own, also as items of a list. */
function inner(value) {
  const object = value.type === 'array' ? value.items : value;
  return object?.properties === undefined ? nothing : html`<div class="inner">${properties(object)}</div>`;
}

function schemaBody(schema) {
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(part => part.properties !== undefined);
  return html`
    ${text(schema.description)}
    ${schema.properties === undefined ? html`<p>${typeOf(schema)}${rules(schema)}</p>` : properties(schema)}
    ${alternatives.map((part, i) => html`<h4>Alternative ${i + 1}</h4>${text(part.description)}${properties(part)}`)}`;
}

function parameters(path, operation) {
  const all = [...(path.parameters ?? []), ...(operation.parameters ?? [])].map(resolved);
  return all.length === 0 ? nothing : html`
    <h4>Parameters</h4>
    <table class="fields">
      <thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
      <tbody>${all.map(one => html`
        <tr data-in=${one.in} data-name=${one.name}>
          <td><code>${one.name}</code> <span class="quiet">${one.in}</span> ${one.required ? html`<span class="needed">required</span>` : nothing}</td>
          <td>${typeOf(one.schema)}</td>
          <td>${text(one.description ?? resolved(one.schema).description)}${rules(resolved(one.schema))}</td>
        </tr>`)}</tbody>
    </table>`;
}

function content(body) {
  return Object.entries(body.content ?? {}).map(([type, media]) => html`
    <p><code>${type}</code> ${typeOf(media.schema)}</p>
    ${inner(media.schema)}
    ${examples(media).map(([title, value]) => html`
      ${title === '' ? nothing : html`<p class="quiet">${title}</p>`}
      <pre tabindex="0" aria-label="Example">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`)}`);
}

function examples(media) {
  return [
    ...(media.example === undefined ? [] : [['', media.example]]),
    ...Object.entries(media.examples ?? {}).map(([name, one]) => [one.summary ?? name, one.value]),
  ];
}

function responses(operation) {
  return html`
    <h4>Answers</h4>
    <table class="fields">
      <thead><tr><th>Status</th><th>Body</th><th>Meaning</th></tr></thead>
      <tbody>${Object.entries(operation.responses).map(([status, named]) => {
        const answer = resolved(named);
        const headers = Object.keys(answer.headers ?? {}).filter(name => name !== 'X-Request-Id'); // every answer has it, as the introduction says
        return html`
          <tr>
            <td><code>${status === 'default' ? 'others' : status}</code></td>
            <td>${Object.values(answer.content ?? {}).map(media => typeOf(media.schema))}</td>
            <td>${text(answer.description)}
              ${headers.length === 0 ? nothing : html`<span class="rules">headers ${headers.join(', ')}</span>`}
              ${Object.values(answer.content ?? {}).map(media => inner(media.schema))}</td>
          </tr>`;
      })}</tbody>
    </table>`;
}

function operationCard({ method, url, path, operation }) {
  const body = resolved(operation.requestBody);
  return html`
    <section class="card" id=${operation.operationId}>
      <header><h3>${operation.summary}</h3><a class="quiet" href="#${operation.operationId}" aria-label="Link to ${operation.operationId}">#</a></header>
      <p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${url}</code></p>
      ${text(operation.description)}
      ${parameters(path, operation)}
      ${body === undefined ? nothing : html`<h4>Body${body.required ? nothing : ', which may be left out'}</h4>${text(body.description)}${content(body)}`}
      ${responses(operation)}
    </section>`;
}

function operations() {
  return Object.entries(api.paths).flatMap(([url, path]) =>
    METHODS.filter(method => path[method] !== undefined).map(method => ({ method, url, path, operation: path[method] })));
}

function isWanted(...texts) {
  return texts.join(' ').toLowerCase().includes(filter.trim().toLowerCase());
}

function page() {
  const all = operations().filter(({ method, url, operation }) => isWanted(method, url, operation.summary, operation.operationId));
  const tags = api.tags.map(tag => ({ ...tag, all: all.filter(({ operation }) => operation.tags.includes(tag.name)) })).filter(tag => tag.all.length > 0);
  const schemas = Object.entries(api.components.schemas).filter(([name]) => isWanted(name));
  return html`
    <nav aria-label="Operations">
      <a class="brand" href="/"><img src="/console/icon.svg" alt="" width="26" height="26"><span>Carillon</span></a>
      <input type="search" aria-label="Filter" placeholder="Filter" .value=${filter} @input=${e => { filter = e.target.value; draw(); }}>
      ${tags.map(tag => html`<div><h2>${tag.name}</h2><ul>${tag.all.map(({ method, operation }) => html`
        <li><a href="#${operation.operationId}" title=${operation.summary}><span class="method ${method}">${method.toUpperCase()}</span> ${operation.summary}</a></li>`)}</ul></div>`)}
      ${schemas.length === 0 ? nothing : html`<div><h2>Schemas</h2><ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul></div>`}
    </nav>
    <main>
      <h1>${api.info.title} API</h1>
      ${filter === '' ? html`
        ${text(api.info.description)}
        <p>As a file: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.</p>
        <dl>${Object.entries(api.components.securitySchemes).map(([name, scheme]) => html`<dt><code>${name}</code></dt><dd>${text(scheme.description)}</dd>`)}</dl>` : nothing}
      ${tags.map(tag => html`<h2>${tag.name}</h2>${text(tag.description)}${tag.all.map(operationCard)}`)}
      ${schemas.length === 0 ? nothing : html`<h2>Schemas</h2>`}
      ${schemas.map(([name, schema]) => html`
        <section class="card" id="schema-${name}"><header><h3>${name}</h3></header>${schemaBody(schema)}</section>`)}
      ${tags.length + schemas.length === 0 ? html`<p>No operation or schema has “${filter}” in its name.</p>` : nothing}
    </main>`;
}

function draw() {
  render(page(), app);
}

/** Where the address points to; what it names is there only when the page is. */
function follow() {
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Ends the filter where it hides what a link or the address names. Answers whether it did. */
function reveal(id) {
  if (id === '' || filter === '' || document.getElementById(id)) return false;
  filter = '';
  draw();
  return true;
}

app.addEventListener('click', event => {
  const id = event.target.closest('a[href^="#"]')?.hash.slice(1) ?? '';
  if (event.ctrlKey || event.metaKey || event.shiftKey || !reveal(id)) return;
  event.preventDefault(); // the element that was clicked may be another link by now
  location.hash = id;
  follow();
});
window.addEventListener('hashchange', () => { if (reveal(location.hash.slice(1))) follow(); });

function problem(cause) {
  render(html`<main><h1>Carillon API</h1><p class="problem">${cause.message}</p>
    ${cause.status === 401 ? html`<p><a href="/">Sign in to the console</a>, then come back.</p>` : nothing}</main>`, app);
}

get('/openapi.json').then(document => { api = document; draw(); follow(); }, problem);
