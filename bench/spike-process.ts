import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { answerCalls } from './child-calls.ts';

// What the money of a request costs in bare code: a key looked up in memory, three holds in memory, and receipts that
// are committed together, by one statement for each batch, before their answers are sent. It refuses nobody and knows
// one model; it is no gateway, but the floor of one that is written on node:http and undici.

const LEASES = [1n, 2n, 3n] as const;
const INPUT_NANO = 150n;
const OUTPUT_NANO = 600n;
const MODEL = 'plain';
const UPSTREAM_MODEL = 'mock';

const SCHEMA = [
  'create table leases (id bigint primary key, charged bigint not null) with (fillfactor = 50)',
  'insert into leases select generate_series(1, 3), 0',
  `create table receipts (
     id uuid primary key, workspace uuid not null, project uuid not null, key uuid not null, model text not null,
     charge bigint not null, hold bigint not null, input bigint not null, output bigint not null,
     admitted timestamptz not null, duration_ms integer not null)`,
];

const SETTLE = `
  with charged as (
    update leases set charged = charged + c.amount from unnest($1::bigint[], $2::bigint[]) as c (lease, amount) where id = c.lease
  )
  insert into receipts
  select id, $3, $4, $5, $6, charge, hold, input, output, to_timestamp(ms / 1e3), took
  from unnest($7::uuid[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::float8[], $13::integer[])
    as r (id, charge, hold, input, output, ms, took)`;

interface Purse {
  available: bigint;
  held: bigint;
}

interface Principal {
  readonly ids: readonly [workspace: string, project: string, key: string];
  readonly purses: readonly Purse[];
}

interface Receipt {
  readonly id: string;
  readonly charge: bigint;
  readonly hold: bigint;
  readonly input: number;
  readonly output: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly settled: () => void;
}

/** Where the spike's upstream and its database are. */
export interface SpikePlan {
  readonly upstreamPort: number;
  readonly socketDirectory: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly key: string;
}

/** Commits the receipts that have arrived while the last batch was being committed. */
class Receipts {
  readonly #client: pg.Client;
  readonly #ids: Principal['ids'];
  #waiting: Receipt[] = [];
  #isBusy = false;

  constructor(client: pg.Client, ids: Principal['ids']) {
    this.#client = client;
    this.#ids = ids;
  }

  add(receipt: Receipt): void {
    this.#waiting.push(receipt);
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    const charge = batch.reduce((sum, each) => sum + each.charge, 0n);
    const values = [
      LEASES,
      LEASES.map(() => charge),
      ...this.#ids,
      MODEL,
      batch.map(({ id }) => id),
      batch.map((receipt) => receipt.charge),
      batch.map(({ hold }) => hold),
      batch.map(({ input }) => input),
      batch.map(({ output }) => output),
      batch.map(({ atMs }) => atMs),
      batch.map(({ tookMs }) => tookMs),
    ];
    this.#client.query({ name: 'settle', text: SETTLE, values }).then(
      () => {
        if (this.#waiting.length > 0) this.#send();
        else this.#isBusy = false;
        for (const { settled } of batch) settled();
      },
      (fault: unknown) => {
        throw fault;
      },
    );
  }
}

interface ChatAnswer {
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** One request, from its hold to its answer. */
class Passage implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #principal: Principal;
  readonly #receipts: Receipts;
  readonly #hold: bigint;
  readonly #atMs = Date.now();
  readonly #sinceMs = performance.now();
  readonly #whole: Buffer[] = [];

  constructor(response: ServerResponse, principal: Principal, receipts: Receipts, hold: bigint) {
    this.#response = response;
    this.#principal = principal;
    this.#receipts = receipts;
    this.#hold = hold;
    for (const purse of principal.purses) {
      purse.available -= hold;
      purse.held += hold;
    }
  }

  onRequestStart(): void {
    // No request is given up here.
  }

  onResponseStart(): void {
    // The upstream answers 200.
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#whole.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#whole;
    const body = this.#whole.length === 1 && first !== undefined ? first : Buffer.concat(this.#whole);
    const { usage } = JSON.parse(body.toString()) as ChatAnswer;
    const [input, output] = [usage.prompt_tokens, usage.completion_tokens];
    const charge = BigInt(input) * INPUT_NANO + BigInt(output) * OUTPUT_NANO;
    for (const purse of this.#principal.purses) {
      purse.available += this.#hold - charge;
      purse.held -= this.#hold;
    }
    const id = randomUUIDv7();
    const settled = (): void => {
      this.#response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-request-id': id,
        'x-charge': String(charge),
      });
      this.#response.end(body);
    };
    const tookMs = Math.round(performance.now() - this.#sinceMs);
    this.#receipts.add({ id, charge, hold: this.#hold, input, output, atMs: this.#atMs, tookMs, settled });
  }

  onResponseError(): void {
    this.#response.destroy();
  }
}

interface ChatRequest {
  model: string;
  readonly max_tokens: number;
}

async function listen({ upstreamPort, socketDirectory, port, user, database, key }: SpikePlan): Promise<number> {
  const client = new pg.Client({ host: socketDirectory, port, user, database });
  await client.connect();
  for (const statement of SCHEMA) await client.query(statement);
  const ids = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()] as const;
  const receipts = new Receipts(client, ids);
  const purses = LEASES.map(() => ({ available: 10n ** 15n, held: 0n }));
  const principals = new Map<string, Principal>([[`Bearer ${key}`, { ids, purses }]]);
  const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 4_096, pipelining: 1, allowH2: false });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer upstream-key' };
  const handle = (message: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const principal = principals.get(message.headers.authorization ?? '');
      const received = Buffer.concat(chunks);
      const request = JSON.parse(received.toString()) as ChatRequest;
      const hold = BigInt(received.length) * INPUT_NANO + BigInt(request.max_tokens) * OUTPUT_NANO;
      if (
        principal === undefined ||
        request.model !== MODEL ||
        principal.purses.some((each) => each.available < hold)
      ) {
        response.writeHead(402).end();
        return;
      }
      request.model = UPSTREAM_MODEL;
      const body = JSON.stringify(request);
      const passage = new Passage(response, principal, receipts, hold);
      pool.dispatch({ method: 'POST', path: '/plain/v1/chat/completions', headers, body }, passage);
    });
  };
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, handle);
  await once(server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }), 'listening');
  return (server.address() as AddressInfo).port;
}

answerCalls({ listen });
