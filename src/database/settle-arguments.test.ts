import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { Receipt } from '../domain/receipt.ts';
import { NO_TOKENS } from '../domain/usage.ts';
import { windowAt } from '../domain/window.ts';
import { settleArguments } from './settle-arguments.ts';

// The database reads from the literals what was in the receipts, whatever text callers and providers have put there.

let test: TestDatabase;
beforeAll(async () => {
  test = await startTestDatabase({ migrated: false });
});
afterAll(() => test.stop());

const ATTEMPTS_AT = 8;
const CLIENT_REQUEST_AT = 9;

function receiptWith(clientRequestId: string | null, provider: string): Receipt {
  const id = '018f0000-0000-7000-8000-000000000000';
  return {
    requestId: id,
    workspaceId: id,
    projectId: id,
    keyId: id,
    creditPurseId: 1n,
    projectPurseId: 2n,
    keyPurseId: 3n,
    projectWindow: windowAt('month', 1_760_000_000_000),
    keyWindow: windowAt('month', 1_760_000_000_000),
    model: 'small-chat',
    priceVersionId: 1n,
    outcome: 'completed',
    charge: 2n ** 62n,
    hold: 2n ** 62n,
    writeOff: 0n,
    usage: { tokens: { ...NO_TOKENS, input: 7 }, certainty: 'exact' },
    shortenedToTokens: null,
    streamed: false,
    admittedAtMs: 1_760_000_000_000.5,
    durationMs: 12.4,
    firstEventMs: null,
    attempts: [{ provider, upstreamModel: 'mock', status: 200, durationMs: 1, fault: null }],
    clientRequestId,
    idempotencyKey: null,
  };
}

async function readBack(literal: string, type: string): Promise<readonly unknown[]> {
  const rows = await test.database.query<{ value: unknown }>(`select unnest($1::${type}[]) as value`, [literal]);
  return rows.map(({ value }) => value);
}

it('writes literals that the database reads back as they were', async () => {
  // PostgreSQL's text has no NUL; its jsonb has no lone surrogates.
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.option(text), text), { maxLength: 4 }), async (pairs) => {
      const columns = settleArguments(pairs.map(([client, provider]) => receiptWith(client, provider)));
      // A column without a value in any row is left empty.
      const clients = pairs.some(([client]) => client !== null) ? pairs.map(([client]) => client) : [];
      expect(await readBack(columns[CLIENT_REQUEST_AT] ?? '', 'text')).toEqual(clients);
      const attempts = await test.database.query<{ value: readonly [{ provider: string }] }>(
        'select jsonb_array_elements($1::jsonb) as value',
        [columns[ATTEMPTS_AT] ?? ''],
      );
      expect(attempts.map(({ value }) => value[0].provider)).toEqual(pairs.map(([, provider]) => provider));
    }),
  );
});

it.each([['NULL'], ['null'], [''], ['{}'], ['a,b'], ['"'], ['\\'], ['\\"{'], [' x '], ['ü\n\t']])(
  'keeps %j as text',
  async (awkward) => {
    const column = settleArguments([receiptWith(awkward, 'local'), receiptWith(null, 'local')])[CLIENT_REQUEST_AT];
    expect(await readBack(column ?? '', 'text')).toEqual([awkward, null]);
  },
);
