import { expect, test } from 'vitest';
import { Bench } from '../../../test/simulation/bench.ts';
import { GateStage, StageCaller } from '../../../test/support/gate-stage.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { Hold } from '../purses/leases/hold.ts';
import { Admission, admit } from './admit.ts';
import { interpret } from './read.ts';

const MODEL = new GateStage({ terms: { maxOutput: 100_000, contextWindow: 1_000_000 } }).model;

/** Admits a request to write as much as its model can, which holds a million nano-USD and a little more. */
async function admitted(bench: Bench, fields: object = {}) {
  const body = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], ...fields };
  const parsed = interpret(new StageCaller({}), Buffer.from(JSON.stringify(body)), 'chat');
  if (isRefusal(parsed)) throw new Error(parsed.message);
  const gate = { ...new GateStage().gate, purses: bench.purses };
  const admission = admit(gate, bench.key, MODEL, parsed);
  await bench.pass(50);
  return await admission;
}

test('a request is admitted with the money that its process has, or draws, or waits for', async () => {
  const drawing = await new Bench({ credit: 10n ** 7n }).start();
  const first = await admitted(drawing);
  expect(first).toMatchObject({ principal: drawing.key, model: MODEL, quote: { cap: 100_000, shortened: false } });
  expect(first instanceof Admission && first.hold).toBeInstanceOf(Hold);
  // A quarter of what is there lowers the cap, and is drawn for it.
  const less = await new Bench({ credit: 2_000_000n }).start();
  expect(await admitted(less)).toMatchObject({ quote: { cap: 50_000, shortened: true } });
  expect(less.life.openHolds).toBe(1);
  const named = await new Bench({ credit: 2_000_000n }).start();
  expect(await admitted(named, { max_tokens: 100 })).toMatchObject({ quote: { cap: 100, shortened: false } });
  expect(named.life.openHolds).toBe(1);
});

test('a request that the money does not cover holds none', async () => {
  const bench = await new Bench({ credit: 2_000n }).start();
  expect(await admitted(bench, { max_tokens: 1_000 })).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(bench.life.openHolds).toBe(0);
});
