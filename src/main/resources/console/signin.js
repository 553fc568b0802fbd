// Signing in: at the issuer of tokens, where there is one, or with an API key. The page that was asked for comes afterwards.

import { html, nothing } from './lit-html.js';
import { problem } from './ui.js';
import { signIn, signInAtIssuer, signInWays } from './session.js';

export function signInPage({ update }, done, { reason, refused }) {
  let ways, failure = refused, isBusy = false;

  signInWays().catch(() => ({ keys: true })).then(known => {
    ways = known;
    update();
    queueMicrotask(() => document.querySelector('.sign-in button.issuer, .sign-in input')?.focus());
  });

  async function submit(event) {
    event.preventDefault();
    const field = event.target.elements.key;
    isBusy = true;
    update();
    try {
      await signIn(field.value.trim());
      done();
      return;
    } catch (cause) {
      failure = cause.status === 401 ? { message: 'This server does not accept this key.' } : cause;
    }
    isBusy = false;
    update();
    field.select();
    field.focus();
  }

  /** Somebody who may do nothing here is asked again who they are, or the issuer would send them back as the same. */
  async function goToIssuer() {
    try {
      await signInAtIssuer(refused?.status === 403);
    } catch (cause) {
      failure = cause;
      update();
    }
  }

  const issuer = () => html`<button type="button" class="primary issuer" @click=${goToIssuer}>Sign in with ${ways.issuer}</button>`;

  const key = () => html`
    <form @submit=${submit}>
      <label><span>API key</span><input name="key" type="password" autocomplete="current-password" required spellcheck="false" placeholder="ck_…"></label>
      <button class=${ways.issuer ? '' : 'primary'} ?disabled=${isBusy}>Sign in${ways.issuer ? ' with a key' : ''}</button>
      <p class="caption">Ask the operator of this server for a key; administrators create keys on the page API keys, or with <code>POST /keys</code>. With the bundled Redis the first one is in <code>data/admin.key</code> on the server. Your browser keeps only a session, which expires.</p>
    </form>`;

  return {
    title: 'Sign in',
    view: () => html`
      <div class="card sign-in">
        <h1>Sign in</h1>
        ${reason ? html`<p class="quiet" role="status">${reason}</p>` : nothing}
        ${problem(failure)}
        ${ways?.issuer ? issuer() : nothing}
        ${ways?.issuer && ways.keys ? html`<p class="or quiet">or</p>` : nothing}
        ${ways?.keys ? key() : nothing}
        ${ways && !ways.keys && !ways.issuer ? html`<p>Nobody can sign in to this console: the server takes neither API keys (<code>access.accept</code>) nor people of its issuer (<code>console.signIn</code>).</p>` : nothing}
      </div>`,
  };
}
