import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../../test/support/eventually.ts';
import { RecordingServer } from '../../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../../test/wire/raw-http.ts';
import { refuse } from '../../../domain/refusals.ts';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import type { PlainCaller } from './plain-caller.ts';

// Callers come and go as they like, in the middle of what they send and of what they are sent. However it ends, each
// request ends once, and what it took is given back.

const RUNS = 200;
const BUDGET_BYTES = 3_000;

const ANSWERS = ['whole', 'long', 'stream', 'refusal', 'last', 'never'] as const;

/** How a request is answered: whether its body is read before, and how many turns later. */
interface Treatment {
  readonly answer: (typeof ANSWERS)[number];
  readonly reads: boolean;
  readonly turns: number;
}

/** What became of a request. */
interface Fate {
  readonly answer: Treatment['answer'];
  gone: number;
}

async function treat(caller: PlainCaller, { answer, reads, turns }: Treatment): Promise<void> {
  if (reads) await caller.readBody();
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  if (answer === 'whole' || answer === 'long') caller.answer(Buffer.alloc(answer === 'long' ? 100_000 : 10), []);
  if (answer === 'refusal' || answer === 'last')
    caller.refuse(refuse('SERVICE_UNAVAILABLE', 'No.', { closeConnection: answer === 'last' }));
  if (answer !== 'stream') return;
  caller.startStream([]);
  for (let piece = 0; piece < 3; piece++) {
    caller.write('a'.repeat(10_000));
    await setImmediate();
  }
  caller.end();
}

interface Piece {
  readonly bytes: string;
  readonly turns: number;
}

const LEAVINGS = ['at once', 'reset', 'no more', 'in time'] as const;

async function behave(socket: Socket, pieces: readonly Piece[], leaving: (typeof LEAVINGS)[number]): Promise<void> {
  socket.on('error', () => undefined).resume();
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  for (const { bytes, turns } of pieces) {
    socket.write(bytes);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
  }
  if (leaving === 'in time') for (let turn = 0; turn < 10; turn++) await setImmediate();
  if (leaving === 'no more') socket.end();
  else if (leaving === 'reset') socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

const pieces = fc
  .record({
    length: fc.constantFrom(0, 1, 500, 2_000, 5_000),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    isWhole: fc.boolean(),
  })
  .map(({ length, cut, isWhole }) => {
    const text = `POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'a'.repeat(length)}`;
    const at = text.length - Math.floor(length * cut);
    return isWhole ? [text] : [text.slice(0, at), text.slice(at)];
  });
const sent = fc
  .array(pieces, { minLength: 1, maxLength: 3 })
  .chain((requests) =>
    fc.tuple(...requests.flat().map((bytes) => fc.record({ bytes: fc.constant(bytes), turns: fc.nat(2) }))),
  )
  .chain((all) => fc.nat(all.length - 1).map((dropped) => all.slice(0, all.length - dropped)));
const treatments = fc.array(fc.record({ answer: fc.constantFrom(...ANSWERS), reads: fc.boolean(), turns: fc.nat(3) }), {
  minLength: 3,
  maxLength: 3,
});
const connections = fc.array(fc.record({ sent, leaving: fc.constantFrom(...LEAVINGS) }), {
  minLength: 1,
  maxLength: 3,
});

test('each request ends once, and nothing of it is kept', { timeout: 60_000 }, async () => {
  let queue: Treatment[] = [];
  let fates: Fate[] = [];
  const server = await RecordingServer.start(
    {
      any: (_message, response) => void response.end(),
      plain: (caller) => {
        const treatment = queue.shift() ?? { answer: 'never', reads: true, turns: 0 };
        const fate: Fate = { answer: treatment.answer, gone: 0 };
        fates.push(fate);
        caller.onGone(() => (fate.gone += 1));
        return treat(caller, treatment);
      },
    },
    // While a request waits behind another, whether its caller has left is seen by nothing but the silence.
    { budget: new ByteBudget(BUDGET_BYTES), idleMs: 25 },
  );
  const { hostname, port } = new URL(server.url);
  const lived = fc.asyncProperty(connections, treatments, async (opened, handled) => {
    queue = [...handled];
    fates = [];
    await Promise.all(opened.map(({ sent: all, leaving }) => behave(connect(Number(port), hostname), all, leaving)));
    await vi.waitFor(
      () => {
        expect(server.budget.taken).toBe(0);
        for (const { answer, gone } of fates) expect(gone).toBeGreaterThanOrEqual(answer === 'never' ? 1 : 0);
      },
      { timeout: 5_000, interval: 2 },
    );
    for (const { gone } of fates) expect(gone).toBeLessThanOrEqual(1);
  });
  await fc.assert(lived, { numRuns: RUNS });
  // It would wait for a request that has begun and never ended.
  const startMs = performance.now();
  await server.front.drain(20_000);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

test('connections are watched by one timer as long as there are any, and no longer', async () => {
  const begun = vi.spyOn(globalThis, 'setInterval');
  const ended = vi.spyOn(globalThis, 'clearInterval');
  const timers = (): number => {
    const over = new Set<unknown>(ended.mock.calls.map(([timer]) => timer));
    return begun.mock.results.filter(({ value }) => !over.has(value)).length;
  };
  const server = await RecordingServer.start({
    any: (_message, response) => void response.end(),
    plain: (caller) => caller.answer(Buffer.from('{}'), []),
  });
  onTestFinished(() => server.stop());
  const open = async (): Promise<RawConnection> => {
    const connection = new RawConnection(server.url).send(head('GET /v1/models HTTP/1.1', { host: 'x' }));
    onTestFinished(() => connection.destroy());
    expect((await connection.response())?.status).toBe(200);
    return connection;
  };
  expect(timers()).toBe(0);
  const [one, two] = [await open(), await open()];
  expect(timers()).toBe(1);
  one.destroy();
  await until(() => server.front.connections === 1);
  expect(timers()).toBe(1);
  two.destroy();
  await until(() => server.front.connections === 0);
  expect(timers()).toBe(0);
  await open();
  expect(timers()).toBe(1);
});
