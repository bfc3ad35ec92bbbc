import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

// An OpenID provider on this machine (oidc-provider), and a browser that signs people in there. The login that somebody types
// is their subject; the provider vouches for their address unless the login says that it doesn't. A login is a name or an address,
// and behind "|" the groups of the person.

export const CLIENT = { clientId: 'faregate', clientSecret: 'a-client-secret' } as const;

export interface OpenIdIssuer {
  readonly issuer: string;
  /**
   * Signs in as a browser does: from the address that it is sent to, to the one at which the provider sends it back. A login
   * that begins with "unverified" has an address that the provider does not vouch for.
   */
  signIn(url: string, login: string): Promise<URL>;
  stop(): Promise<void>;
}

function accountOf(login: string): object {
  const [address = '', groups = ''] = login.replace(/^unverified-/, '').split('|');
  return {
    accountId: login,
    claims: () => ({
      sub: login,
      name: `Name of ${login}`,
      email: address.includes('@') ? address : `${address}@example.com`,
      email_verified: !login.startsWith('unverified'),
      groups: groups.split(','),
    }),
  };
}

/** Starts one that sends browsers back to this address. */
export async function startOpenIdIssuer(redirectUri: string): Promise<OpenIdIssuer> {
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        require_auth_time: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_context: unknown, login: string) => accountOf(login),
    cookies: { keys: ['a cookie key'] },
  });
  const listener = provider.callback();
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { issuer, stop, signIn: (url, login) => browse(url, login, redirectUri) };
}

/** Follows redirects and fills in forms, with cookies, until the browser leaves the provider. */
async function browse(start: string, login: string, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: { url: string; form?: URLSearchParams } = { url: start };
  for (let step = 0; step < 20; step++) {
    if (next.url.startsWith(end)) return new URL(next.url);
    const { url, form } = next;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location !== null) next = { url: new URL(location, url).href };
    else next = formIn(page, login);
  }
  throw new Error(`the browser came to no end: ${next.url}`);
}

function formIn(page: string, login: string): { url: string; form: URLSearchParams } {
  const [, url] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
  const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
  if (url === undefined || prompt === undefined) throw new Error(`a page without a form: ${page.slice(0, 2_000)}`);
  return { url, form: new URLSearchParams({ prompt, login, password: 'any' }) };
}
