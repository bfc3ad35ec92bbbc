import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL } from '../../../test/support/gate-stage.ts';
import { turnsOf } from '../../../test/support/turns-of.ts';
import { LARGE_BYTES } from '../../lib/own-turn.ts';
import type { KeptAnswer } from '../dialects/dialect.ts';
import { keepResponse } from './keep-response.ts';
import type { AdmittedRequest } from './request.ts';
import type { KeptResponse, ResponseStore } from './response-store.ts';

const KEY = { idempotencyKey: 'order-7' };
const ASKED = { messages: undefined, input: 'hello' };

/** A stage that keeps answers once the test says so, or loses them. */
class KeepingStage extends GateStage {
  readonly kept: KeptResponse[] = [];
  readonly keeping: PromiseWithResolvers<boolean>;

  constructor() {
    const keeping = Promise.withResolvers<boolean>();
    const keep = (response: KeptResponse): Promise<boolean> => {
      this.kept.push(response);
      return keeping.promise;
    };
    const responses = { keepMs: 1_000, keepsFor: () => true, keep } satisfies Partial<ResponseStore>;
    super({ parts: { responses: responses as unknown as ResponseStore } });
    this.keeping = keeping;
  }

  ask(fields: object, headers: object) {
    return this.send({ ...ASKED, ...fields }, headers, 'responses');
  }
}

for (const stream of [false, true]) {
  for (const isKept of [true, false]) {
    for (const headers of [{}, KEY]) {
      test(`an answer says whether later requests find it, as repeats do (stream: ${stream}, kept: ${isKept}, key: ${headers === KEY})`, async () => {
        const stage = new KeepingStage();
        const { caller, done } = stage.ask({ stream }, headers);
        for (let turn = 0; turn < 4; turn++) await stage.clock.advance(0);
        const { requestId } = caller;
        expect(stage.kept).toMatchObject([
          { workspaceId: PRINCIPAL.workspaceId, requestId, previousRequestId: null, goesOnFrom: [] },
        ]);
        expect(String(stage.kept[0]?.entry.response)).toContain('"text":"hi"');
        // The receipt waits for it only if it stores the answer.
        expect(stage.closed).toHaveLength(headers === KEY ? 0 : 1);
        expect(caller.isOver).toBe(false);
        stage.keeping.resolve(isKept);
        await done;
        expect(caller.isOver).toBe(true);
        const says = (text: string) => [...text.matchAll(/"store":(true|false)/g)].at(-1)?.[1];
        expect(says(caller.text)).toBe(String(isKept));
        expect(stage.closed).toMatchObject([{ outcome: 'completed', isWhole: true, streamed: stream }]);
        if (headers !== KEY) return;
        const repeat = stage.ask({ stream }, headers);
        await repeat.done;
        expect(repeat.caller.text).toBe(caller.text);
        expect(stage.kept).toHaveLength(1);
      });
    }
  }
}

test('an answer that its caller does not want kept is not kept, and sent as it is', async () => {
  for (const stream of [false, true]) {
    const stage = new KeepingStage();
    const { caller, done } = stage.ask({ stream, store: false }, {});
    await done;
    expect(caller.text).toContain('"store":false');
    expect([stage.kept, stage.closed]).toMatchObject([[], [{ outcome: 'completed' }]]);
  }
});

test('an answer that breaks off is not kept', async () => {
  const stage = new KeepingStage();
  stage.attempt = (sink) => {
    sink.event(Buffer.from('{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}'));
    sink.end(false);
  };
  const { done } = stage.ask({ stream: true }, KEY);
  await done;
  expect([stage.kept, stage.closed]).toMatchObject([[], [{ outcome: 'interrupted', isWhole: false }]]);
});

const FIRST = { previousRequestId: null, goesOnFrom: [] };

/** A request whose answer has this entry, with the responses kept and the losses reported for it. */
function requestWith(entry: KeptAnswer['entry']) {
  const kept: KeptResponse[] = [];
  const lost: unknown[] = [];
  const keep = (response: KeptResponse): Promise<boolean> => Promise.resolve(kept.push(response) > 0);
  const responseLost = (requestId: string, reason: unknown): void => void lost.push([requestId, reason]);
  const answerOf = (answer: Buffer): KeptAnswer => ({ entry, answer, unkept: () => answer });
  const request = {
    gate: { observer: { responseLost }, responses: { keep } },
    caller: { requestId: 'id-1' },
    admission: { principal: PRINCIPAL, parsed: { request: { kept: { answerOf } } } },
  } as unknown as AdmittedRequest;
  return { request, kept, lost };
}

test('an answer that nothing can be found by is not kept, and that is reported', async () => {
  const { request, kept, lost } = requestWith(null);
  const { isKept } = await keepResponse(request, FIRST, Buffer.from('{}'));
  expect([await isKept, kept]).toEqual([false, []]);
  expect(lost).toEqual([['id-1', new Error('the answer has no id, or no output')]]);
});

test('a large answer that is kept is read in a turn of its own', async () => {
  const { request } = requestWith(null);
  for (const [bytes, turns] of [
    [LARGE_BYTES, 0],
    [LARGE_BYTES + 1, 1],
  ] as const) {
    expect(await turnsOf(() => keepResponse(request, FIRST, Buffer.alloc(bytes)))).toBe(turns);
  }
});
