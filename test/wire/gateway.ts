import { verifyLedger } from '../support/verify-ledger.ts';
import { vi } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { findReceipt } from '../../src/control/ledger/receipts.ts';
import { type Account, type AccountOptions, openAccount, workspaceNow } from '../support/accounts.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { head, RawConnection } from './raw-http.ts';

// The started program between a test's own bytes on both sides: what a client sends, and what the upstream answers.

/** A text of every request body here; it may never show up in what the program prints. */
export const MARKER = 'w1re-m4rker';
/** USD per million tokens, so that a token of input costs 1,000 nano-USD and one of output 10,000. */
const PRICE = '{ input: "1", output: "10" }';
const CREDIT = 100_000_000_000n;
export const NANO_PER_INPUT = 1_000n;
export const NANO_PER_OUTPUT = 10_000n;

export interface Attempt {
  readonly provider: string;
  readonly status: number | null;
  readonly fault: string | null;
}

export interface ReceiptRow {
  readonly outcome: string;
  readonly charge: bigint;
  readonly hold: bigint;
  readonly write_off: bigint;
  readonly certainty: string;
  readonly input: number;
  readonly output: number;
  readonly shortened: number | null;
  readonly attempts: readonly Attempt[];
  readonly left_out: readonly string[];
}

/** What a request is sent with beside its body; `headers` win over the usual ones. */
export type SendOptions = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export interface GatewayOptions {
  readonly server?: string;
  readonly timeouts?: string;
  readonly telemetry?: string;
  /** When routes rest. Unless given, failures alone never make them. */
  readonly routing?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of more providers and more models, at the upstream's origin. */
  readonly more?: (origin: string) => { readonly providers: string; readonly models: string };
}

const NEVER_RESTING = '{ results_min: 1000000, refused_key_rest: 0s }';

export function configText(origin: string, { server, timeouts, telemetry, routing, more }: GatewayOptions): string {
  const { providers, models } = more?.(origin) ?? { providers: '', models: '' };
  const model = (id: string, routes: string, price = PRICE): string => `
  - id: ${id}
    routes: [${routes}]
    price: ${price}
    context_window: 128000
    max_output: 16384`;
  return `
log_level: debug
server: ${server ?? '{}'}
timeouts: ${timeouts ?? '{}'}
telemetry: ${telemetry ?? '{}'}
routing: ${routing ?? NEVER_RESTING}
providers:
  scripted: { kind: openai, base_url: "${origin}/v1", api_key: "sk-upstream-0123456789abcdef", accept_fields: [new_field] }
  newer: { kind: openai, base_url: "${origin}/newer/v1", cap_field: max_completion_tokens }
  endless: { kind: openai, base_url: "${origin}/endless/v1", needs_cap: true }
  spare: { kind: openai, base_url: "${origin}/spare/v1" }${providers}
models:${model('chat', '{ provider: scripted, model: gpt }')}${model('newer', '{ provider: newer, model: gpt }')}${model(
    'endless',
    '{ provider: endless, model: gpt }',
  )}${model('spared', '{ provider: scripted, model: gpt }, { provider: spare, model: llama }')}${model(
    'free',
    '{ provider: scripted, model: gpt }',
    '{ input: "0", output: "0" }',
  )}
  - id: embed
    kind: embedding
    routes: [{ provider: scripted, model: ada }]
    price: { input: "1" }
    context_window: 8192${models}
`;
}

/** A started program, an account with credit, and an upstream that does what a test scripts. */
export class Gateway {
  readonly program: Program;
  readonly account: Account;
  readonly upstream: ScriptedUpstream;
  readonly #database: Database;
  readonly #script: { run: Script };

  private constructor(parts: {
    program: Program;
    account: Account;
    upstream: ScriptedUpstream;
    database: Database;
    script: { run: Script };
  }) {
    this.program = parts.program;
    this.account = parts.account;
    this.upstream = parts.upstream;
    this.#database = parts.database;
    this.#script = parts.script;
  }

  static async start(options: GatewayOptions = {}): Promise<Gateway> {
    const script: { run: Script } = { run: (response) => response.destroy() };
    const upstream = await startScriptedUpstream((response, request) => script.run(response, request));
    const program = await startProgram({
      config: configText(upstream.origin, options),
      args: ['--no-bootstrap'],
      env: options.env ?? {},
      beside: [upstream],
    });
    const database = await program.openDatabase();
    const account = await openAccount(database, { credit: CREDIT });
    return new Gateway({ program, account, upstream, database, script });
  }

  get url(): string {
    return this.program.url;
  }

  /** The account's key. */
  get key(): string {
    return this.account.key.key;
  }

  /** All that the program has printed until now, the lines included that it has yet to write. */
  async log(): Promise<string> {
    const refused = await this.chat({}, { headers: { authorization: 'Bearer nonsense' } });
    const last = refused.headers.get('x-request-id') ?? '';
    await vi.waitUntil(() => this.program.stderr().includes(last), { timeout: 15_000, interval: 20 });
    return this.program.stdout() + this.program.stderr();
  }

  /** Opens another account, and answers with its key. */
  async openAccount(options: AccountOptions): Promise<string> {
    return (await openAccount(this.#database, options)).key.key;
  }

  /** The upstream answers by this script from now on. */
  script(run: Script): void {
    this.#script.run = run;
  }

  /** Posts a body as it is. */
  post(path: string, body: string | Buffer<ArrayBuffer>, { headers, ...init }: SendOptions = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      body,
      ...init,
    });
  }

  /** Sends a chat request with these fields beside the model and one message. */
  chat(fields: object = {}, init: SendOptions = {}): Promise<Response> {
    return this.post('/v1/chat/completions', chatBody(fields), init);
  }

  /** Sends a chat request with these fields and the caller's own id for it on a connection of its own. */
  openRaw(fields: object, clientRequestId: string): RawConnection {
    const body = chatBody(fields);
    const headers = {
      host: 'x',
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-request-id': clientRequestId,
      connection: 'close',
    };
    return new RawConnection(this.url).send(head('POST /v1/chat/completions HTTP/1.1', headers), body);
  }

  /** Resets a connection and resolves when the program must have noticed: what it answers now came in after that. */
  async leaveAtOnce(connection: RawConnection): Promise<void> {
    connection.socket.resetAndDestroy();
    await connection.closed;
    for (let trip = 0; trip < 2; trip++) await (await fetch(`${this.url}/livez`)).arrayBuffer();
  }

  /** The receipt of a request, as soon as there is one. */
  async receipt(requestId: string): Promise<ReceiptRow> {
    return await vi.waitFor(
      async () => {
        const [row] = await this.receipts(requestId);
        if (row === undefined) throw new Error('there is no receipt');
        return row;
      },
      { timeout: 15_000, interval: 20 },
    );
  }

  /** The receipts of this request, one or none, as the database has them at this moment. */
  async receipts(requestId: string): Promise<readonly ReceiptRow[]> {
    const receipt = await findReceipt(this.#database, requestId);
    if (receipt === null) return [];
    const { outcome, charge, hold, writeOff, usage, shortenedToTokens, attempts, leftOut } = receipt;
    const { input, output } = usage.tokens;
    const tokens = { certainty: usage.certainty, input, output, shortened: shortenedToTokens };
    return [{ outcome, charge, hold, write_off: writeOff, ...tokens, attempts, left_out: leftOut }];
  }

  /** All receipts that there are, with the callers' own ids of their requests. */
  allReceipts(): Promise<readonly (Pick<ReceiptRow, 'outcome' | 'charge' | 'certainty'> & { name: string })[]> {
    return this.#database.query(
      `select client_request_id as name, outcome, charge_nano_usd as charge, usage_certainty as certainty
       from receipts where client_request_id is not null`,
    );
  }

  /** A number that the program tells those who watch it. */
  async metric(name: string): Promise<number> {
    const line = (await this.program.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  }

  /** Has the database refuse every receipt that carries this id of the caller's own. */
  async refuseReceiptsOf(clientRequestId: string): Promise<void> {
    await this.#database.query(
      `alter table receipts add constraint refused check (client_request_id is distinct from '${clientRequestId}') not valid`,
    );
  }

  /** The request id of the receipt that carries the caller's own id. */
  async requestIdOf(clientRequestId: string): Promise<string> {
    return await vi.waitFor(
      async () => {
        const rows = await this.#database.query<{ request_id: string }>(
          'select request_id from receipts where client_request_id = $1',
          [clientRequestId],
        );
        if (rows[0] === undefined) throw new Error('there is no receipt');
        return rows[0].request_id;
      },
      { timeout: 15_000, interval: 20 },
    );
  }

  /** Whether the ledger proves true, and by how much the account's balance differs from its credit less its charges. */
  async books(): Promise<{ ok: boolean; difference: bigint }> {
    const { id } = this.account.workspace;
    const { ok } = await verifyLedger(this.#database);
    const [{ charges } = { charges: 0n }] = await this.#database.query<{ charges: bigint }>(
      'select coalesce(sum(charge_nano_usd), 0)::bigint as charges from receipts where workspace_id = $1',
      [id],
    );
    const balance = (await workspaceNow(this.#database, id))?.balance ?? 0n;
    return { ok, difference: CREDIT - charges - balance };
  }

  /** The same on the same data directory, after its program has ended. */
  async restarted(): Promise<Gateway> {
    const program = await this.program.restart();
    const { account, upstream } = this;
    const database = await program.openDatabase();
    return new Gateway({ program, account, upstream, database, script: this.#script });
  }

  /** Resolves once no connection to the upstream is open any more, those kept for a next request included. */
  async upstreamIdle(): Promise<void> {
    await vi.waitUntil(() => this.upstream.sockets.size === 0, { timeout: 15_000, interval: 50 });
  }

  stop(): Promise<void> {
    return this.program.dispose();
  }
}

/** The body of a chat request with these fields beside the model and one message, which holds the marker. */
export function chatBody(fields: object = {}): string {
  return JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: `say ${MARKER}` }], ...fields });
}
