import { expect, test } from 'vitest';
import { refuse } from '../../domain/refusals.ts';
import { NO_TOKENS } from '../../domain/usage.ts';
import type { EndedRequest } from '../../gate/gateway/observer.ts';
import { createLogTo } from './log.ts';
import { RequestLog } from './request-log.ts';

const RECEIPT = {
  requestId: 'r-1',
  clientRequestId: null,
  workspaceId: 'w-1',
  projectId: 'p-1',
  keyId: 'k-1',
  dialect: 'messages',
  model: 'm',
  streamed: true,
  outcome: 'completed',
  attempts: [{ provider: 'a', upstreamModel: 'x', status: 200, durationMs: 4, fault: null }],
  usage: { tokens: { ...NO_TOKENS, input: 7, cached_input: 3, output: 5 }, certainty: 'exact' },
  charge: 57_000n,
  durationMs: 12.3,
  firstEventMs: 4.5,
};

function stage(isOn = true) {
  const lines: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = new RequestLog(createLogTo('info', sink), isOn);
  const end = (more: object = {}, code: EndedRequest['code'] = null): void =>
    log.ended({ receipt: { ...RECEIPT, ...more }, code } as unknown as EndedRequest, 2.2);
  return { lines, log, end };
}

test('a request has one line: ids, route, tokens, charge, result and times', () => {
  const { lines, end } = stage();
  end();
  const { pid: _, time, ...line } = lines[0] ?? {};
  expect(lines).toHaveLength(1);
  expect(time).toMatch(/^\d{4}-/);
  expect(line).toEqual({
    level: 'info',
    msg: 'request',
    event: 'request',
    requestId: 'r-1',
    clientRequestId: null,
    workspaceId: 'w-1',
    projectId: 'p-1',
    keyId: 'k-1',
    dialect: 'messages',
    model: 'm',
    streamed: true,
    outcome: 'completed',
    code: null,
    provider: 'a',
    upstreamModel: 'x',
    attempts: 1,
    inputTokens: 10,
    cachedTokens: 3,
    outputTokens: 5,
    chargeUsd: '0.000057',
    durationMs: 12,
    firstEventMs: 5,
    settlementMs: 2,
  });
});

test('a refused request has one line with its code, also if its money was held', () => {
  const { lines, log, end } = stage();
  const refusal = refuse('MODEL_UNAVAILABLE', 'all routes rest');
  log.refused({ requestId: 'r-1', principal: null, endpoint: 'messages', model: 'm'.repeat(999), refusal });
  end({ attempts: [], outcome: 'failed' }, 'MODEL_UNAVAILABLE');
  expect(lines).toMatchObject([{ requestId: 'r-1', keyId: null, code: 'MODEL_UNAVAILABLE', model: 'm'.repeat(200) }]);
  end({ outcome: 'failed' }, 'MODEL_UNAVAILABLE');
  expect(lines[1]).toMatchObject({ outcome: 'failed', code: 'MODEL_UNAVAILABLE', attempts: 1 });
});

test('no line is written unless it is wanted', () => {
  const { lines, log, end } = stage(false);
  end();
  expect(lines).toEqual([]);
  log.isOn = true;
  end();
  expect(lines).toHaveLength(1);
});
