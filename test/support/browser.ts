import type { AdminApp } from '../../src/control/admin/route-access.ts';

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Sends a request to an app, or to a server's address. */
export type Send = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Sends to the admin app itself. */
export function toApp(app: AdminApp): Send {
  return (url, init) => app.request(url, init);
}

/** A browser on the pages of one origin: it keeps cookies, and says where its requests come from. */
export class Browser {
  readonly #send: Send;
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(send: Send, origin: string) {
    this.#send = send;
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('GET', path, undefined, { 'sec-fetch-site': 'same-origin', ...headers });
  }

  post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', path, body, this.#ownPage(headers));
  }

  patch(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('PATCH', path, body, this.#ownPage(headers));
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('DELETE', path, undefined, this.#ownPage(headers));
  }

  /** The same with these headers and cookies alone. */
  async request(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#send(`${this.#origin}/admin/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        host: new URL(this.#origin).host,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    const error = answer['error'] as { code?: string; param?: string } | undefined;
    const { status, headers: answered } = response;
    return { status, code: error?.code ?? null, param: error?.param ?? null, headers: answered, body: answer };
  }

  #ownPage(headers: Record<string, string>): Record<string, string> {
    return { origin: this.#origin, 'sec-fetch-site': 'same-origin', ...headers };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
