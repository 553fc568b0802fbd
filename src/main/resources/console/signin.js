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
      failure = refused.status === 401 ? { code: 'Not accepted', message: 'This is no key that this server accepts, or no longer.' } : refused;
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
        <p class="caption">Whoever runs this server makes keys, with <code>POST /keys</code>. Your browser keeps no key, only a session that ends by itself.</p>
      </form>`,
  };
}
