// JSON in colours: pieces of text, never markup.

import { html } from './lit-html.js';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A value as indented JSON. */
export function json(value) {
  const text = JSON.stringify(value, null, 2);
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(at, match.index));
    const kind = match[1] ? (match[2] ? 'key' : 'text') : match[3] ? 'word' : 'number';
    parts.push(html`<span class="j-${kind}">${match[1] ?? match[0]}</span>${match[2] ?? ''}`);
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}
