// Signing in: the field for an API key. The page that was asked for comes afterwards.

import { html, nothing } from './lit-html.js';
import { problem } from './ui.js';
import { signIn } from './session.js';

export function signInPage({ update }, done, reason) {
  let failure, isBusy = false;

  async function submit(event) {
    event.preventDefault();
    const field = event.target.elements.key;
    isBusy = true;
    update();
    try {
      await signIn(field.value.trim());
      done();
      return;
    } catch (refused) {
      failure = refused.status === 401 ? { message: 'This server does not accept this key.' } : refused;
    }
    isBusy = false;
    update();
    field.select();
    field.focus();
  }

  return {
    title: 'Sign in',
    view: () => html`
      <form class="card sign-in" @submit=${submit}>
        <h1>Sign in</h1>
        ${reason ? html`<p class="quiet" role="status">${reason}</p>` : nothing}
        <label><span>API key</span><input name="key" type="password" autocomplete="current-password" required autofocus spellcheck="false" placeholder="ck_…"></label>
        ${problem(failure)}
        <button class="primary" ?disabled=${isBusy}>Sign in</button>
        <p class="caption">Ask the operator of this server for a key; administrators create keys on the page API keys, or with <code>POST /keys</code>. With the bundled Redis the first one is in <code>data/admin.key</code> on the server. Your browser keeps only a session, which expires.</p>
      </form>`,
  };
}
