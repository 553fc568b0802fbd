// A question or a note above the page, as the browser's own modal dialog: Escape closes it, the
// focus comes back to where it was.

import { html, nothing, render } from './lit-html.js';

/**
 * Shows content with a way to close it. actions: [{ text, classes?, act(close) }]
 */
export function dialog(title, content, actions = []) {
  const element = document.createElement('dialog');
  element.setAttribute('aria-labelledby', 'dialog-title');
  const close = () => element.close();
  const draw = body => render(html`
    <header><h2 id="dialog-title">${title}</h2><button type="button" class="plain" aria-label="Close" @click=${close}>✕</button></header>
    <div class="body">${body}</div>
    <footer>${actions.length === 0 ? nothing : actions.map(action => html`
      <button type="button" class=${action.classes ?? ''} @click=${() => action.act(close)}>${action.text}</button>`)}</footer>`, element);
  draw(content);
  document.body.append(element);
  element.addEventListener('close', () => {
    element.remove();
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true }); // what opened it has gone
  });
  element.showModal();
  return { close, draw };
}

/** Asks before something is done; true when it is to be. */
export function confirmed(title, content, action, classes = 'primary') {
  return new Promise(resolve => {
    let answer = false;
    const { close } = dialog(title, content, [
      { text: 'Cancel', act: done => done() },
      { text: action, classes, act: done => { answer = true; done(); } },
    ]);
    document.querySelector('dialog[open]').addEventListener('close', () => resolve(answer), { once: true });
    return close;
  });
}
