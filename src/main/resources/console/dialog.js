// A question or a note above the page, as the browser's own modal dialog: Escape closes it, the
// focus comes back to where it was. Another page closes all that stand above the one before.

import { html, nothing, render } from './lit-html.js';

const open = new Set();

/**
 * Shows content with a way to close it. actions: [{ text, classes?, act(close) }]. closed is kept as soon as it is gone, however that came.
 */
export function dialog(title, content, actions = []) {
  const element = document.createElement('dialog');
  element.setAttribute('aria-labelledby', 'dialog-title');
  const close = () => element.close();
  const draw = (body, buttons = actions) => render(html`
    <header><h2 id="dialog-title">${title}</h2><button type="button" class="plain" aria-label="Close" @click=${close}>✕</button></header>
    <div class="body">${body}</div>
    <footer>${buttons.length === 0 ? nothing : buttons.map(action => html`
      <button type="button" class=${action.classes ?? ''} @click=${() => action.act(close)}>${action.text}</button>`)}</footer>`, element);
  draw(content);
  document.body.append(element);
  open.add(close);
  const closed = new Promise(resolve => element.addEventListener('close', () => {
    open.delete(close);
    element.remove();
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true }); // what opened it has gone
    resolve();
  }, { once: true }));
  element.showModal();
  return { close, closed, draw };
}

/** Asks before something is done; true when it is to be. */
export async function confirmed(title, content, action, classes = 'primary') {
  let answer = false;
  const { closed } = dialog(title, content, [
    { text: 'Cancel', act: done => done() },
    { text: action, classes, act: done => { answer = true; done(); } },
  ]);
  await closed;
  return answer;
}

/** Closes all, as Escape does: their page is gone. */
export const closeDialogs = () => open.forEach(close => close());
