// An OpenID Connect issuer, oidc-provider, with its own pages for signing in and consent:
//   node main.js PORT REDIRECT...
// Whoever types a name is that person: ada is an administrator, rita a reader, others nothing. Prints a line when it listens.

import { Provider } from 'oidc-provider';

const [port, ...redirects] = process.argv.slice(2);
const groups = { ada: ['carillon-admins', 'staff'], rita: ['carillon-readers'] };

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: 'carillon-console',
    client_secret: 'a secret of the console',
    redirect_uris: redirects,
    post_logout_redirect_uris: redirects,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
  }],
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, groups: groups[id] ?? ['staff'] }),
  }),
  pkce: { required: () => true },
  cookies: { keys: ['a key of a test'] },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
});

provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
