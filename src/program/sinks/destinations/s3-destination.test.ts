import { afterEach, beforeEach, expect, test } from 'vitest';
import { CREDENTIALS, type S3Store, startS3Store } from '../../../../test/support/s3-store.ts';
import type { S3SinkConfig } from '../../../config/config.ts';
import { BatchRejected } from './destination.ts';
import { S3Destination } from './s3-destination.ts';

const WORKSPACE = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';
const AT_MS = Date.UTC(2026, 10, 28, 9, 59, 59);

let store: S3Store;
let nowMs: number;

beforeEach(async () => {
  store = await startS3Store();
  nowMs = AT_MS;
});
afterEach(() => store.stop());

const destinationTo = (more: Partial<S3SinkConfig> = {}) =>
  new S3Destination(
    {
      kind: 's3',
      name: 'bucket',
      endpoint: store.endpoint,
      region: 'eu-central-1',
      bucket: 'records',
      prefix: 'faregate/prod',
      ...CREDENTIALS,
      deliverEveryMs: 1_000,
      timeoutMs: 60_000,
      queueBytesMax: 1_000_000,
      ...more,
    },
    'f00d',
    () => nowMs,
  );

const batch = (number: number, ...lines: string[]) => ({ workspaceId: WORKSPACE, number, lines });

test('each batch becomes an object of its workspace and hour, with a signature that another computation confirms', async () => {
  const destination = destinationTo();
  await destination.write(batch(0, '{"a":1}', '{"b":"ü"}'));
  nowMs += 2_000;
  await destination.write(batch(1, '{"c":1}'));
  expect([...store.objects]).toEqual([
    [`/records/faregate/prod/${WORKSPACE}/2026/11/28/09-f00d-0.jsonl.gz`, ['{"a":1}', '{"b":"ü"}']],
    [`/records/faregate/prod/${WORKSPACE}/2026/11/28/10-f00d-1.jsonl.gz`, ['{"c":1}']],
  ]);
  await destinationTo({ prefix: null }).write(batch(0, '{}'));
  expect([...store.objects.keys()].at(-1)).toBe(`/records/${WORKSPACE}/2026/11/28/10-f00d-0.jsonl.gz`);
  expect(store.faults).toEqual([]);
});

test('a batch that is sent again replaces its object, in another hour too', async () => {
  const destination = destinationTo();
  store.mood = 503;
  await expect(destination.write(batch(0, '{}'))).rejects.toThrow('the store answered 503: <Error>');
  nowMs += 3_600_000;
  store.mood = 'takes';
  await destination.write(batch(0, '{}'));
  expect([...store.objects.keys()]).toEqual([expect.stringContaining('/09-f00d-0.jsonl.gz')]);
});

test('a wrong secret and a store that hangs are faults that may pass, and a batch that is too large is rejected', async () => {
  const wrong = destinationTo({ secretAccessKey: 'another' }).write(batch(0, '{}'));
  await expect(wrong).rejects.toThrow('the store answered 403: <Error><Code>SignatureDoesNotMatch</Code>');
  await expect(wrong).rejects.not.toBeInstanceOf(BatchRejected);
  expect(store.faults).toEqual(['another signature']);
  store.mood = 'hangs';
  await expect(destinationTo({ timeoutMs: 20 }).write(batch(0, '{}'))).rejects.toThrow('timeout');
  store.mood = 413;
  await expect(destinationTo().write(batch(0, '{}'))).rejects.toBeInstanceOf(BatchRejected);
});
