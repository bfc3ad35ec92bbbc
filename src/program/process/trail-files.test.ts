import { appendFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { receiptWith } from '../../../test/support/receipts.ts';
import type { LeftTrail } from '../../gate/purses/ports/disk.ts';
import { createTrail, type DamagedTrail, readLeftTrails } from './trail-files.ts';

let directory: string;
const damages: DamagedTrail[] = [];
const onDamaged = (damage: DamagedTrail): unknown => damages.push(damage);
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'faregate-trail-'))));
afterEach(() => damages.splice(0));
afterEach(() => rm(directory, { recursive: true, force: true }));

const filesIn = async (): Promise<string[]> => (await readdir(join(directory, 'trail'))).toSorted();

async function left(isLeft: (epochId: bigint) => boolean = () => true) {
  const trails = await readLeftTrails(directory, isLeft, onDamaged);
  const plain = async ({ epochId, timeline, isOld, receipts }: LeftTrail) => ({
    epochId,
    timeline,
    isOld,
    ids: (await receipts()).map(({ requestId }) => requestId),
  });
  return await Promise.all(trails.map(plain));
}

test('a directory without trails has left none', async () => {
  expect(await left()).toEqual([]);
});

test('what was added to a trail is there for other processes immediately, by epoch and server', async () => {
  const [first, second, third] = [receiptWith(), receiptWith(), receiptWith()];
  const trail = createTrail(directory, 12n);
  await trail.add([first], null);
  await trail.add([second], '00000001');
  await trail.add([third], '00000001');
  expect(await left()).toEqual(
    expect.arrayContaining([
      { epochId: 12n, timeline: null, isOld: false, ids: [first.requestId] },
      { epochId: 12n, timeline: '00000001', isOld: false, ids: [second.requestId, third.requestId] },
    ]),
  );
  expect(await left((epochId) => epochId !== 12n)).toEqual([]);
  await trail.close();
  expect(await filesIn()).toHaveLength(2);
  await trail.clear();
  expect(await filesIn()).toEqual([]);
});

test('a trail keeps only the last ten thousand receipts, or some more', async () => {
  const trail = createTrail(directory, 12n);
  const added: string[] = [];
  for (let count = 0; count < 35; count++) {
    const thousand = Array.from({ length: 1_000 }, () => receiptWith());
    added.push(...thousand.map(({ requestId }) => requestId));
    await trail.add(thousand, '1');
  }
  await trail.close();
  const kept = new Set((await left()).flatMap(({ ids }) => ids));
  expect(kept.size).toBeGreaterThanOrEqual(10_000);
  expect(kept.size).toBeLessThanOrEqual(20_000);
  expect(kept).toEqual(new Set(added.slice(-kept.size)));
});

test('a trail leaves out what a process was writing when it ended', async () => {
  const trail = createTrail(directory, 12n);
  const receipt = receiptWith();
  await trail.add([receipt], '1');
  await trail.close();
  const [name = ''] = await filesIn();
  await appendFile(join(directory, 'trail', name), '{"requestId":"torn');
  expect(await left()).toMatchObject([{ ids: [receipt.requestId] }]);
});

test('a trail is old a minute after its last receipt, and young again once it has moved to another server', async () => {
  const trail = createTrail(directory, 12n);
  await trail.add([receiptWith()], '1');
  await trail.close();
  const [name = ''] = await filesIn();
  const then = new Date(Date.now() - 61_000);
  await utimes(join(directory, 'trail', name), then, then);
  const [old] = await readLeftTrails(directory, () => true, onDamaged);
  expect(old?.isOld).toBe(true);
  await old?.moveTo('2');
  expect(await left()).toMatchObject([{ epochId: 12n, timeline: '2', isOld: false }]);
  const [moved] = await readLeftTrails(directory, () => true, onDamaged);
  await moved?.remove();
  expect(await filesIn()).toEqual([]);
});

test('a trail’s damaged line is kept aside and reported, and all others go to the next server', async () => {
  const trail = createTrail(directory, 12n);
  const [first, spoilt, last] = [receiptWith(), receiptWith({ charge: 1_234n }), receiptWith()];
  await trail.add([first, spoilt, last], '1');
  await trail.close();
  const [name = ''] = await filesIn();
  const path = join(directory, 'trail', name);
  const text = (await readFile(path, 'utf8')).replace('"1234"', '"9234"');
  await writeFile(path, text);
  const [found] = await readLeftTrails(directory, () => true, onDamaged);
  expect(await found?.receipts()).toEqual([first, last]);
  expect(damages).toEqual([{ lines: 1, file: `${path}.damaged` }]);
  await found?.moveTo('2');
  expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text);
  expect(await left()).toEqual([{ epochId: 12n, timeline: '2', isOld: false, ids: [first.requestId, last.requestId] }]);
  expect(damages).toHaveLength(1);
});

test('a trail of another version of the program is refused, and stays as it is', async () => {
  const trail = createTrail(directory, 12n);
  await trail.add([receiptWith()], '00000001');
  await trail.close();
  const names = await filesIn();
  const path = join(directory, 'trail', names[0] ?? '');
  await appendFile(path, '[99,"5f3759df",{}]\n');
  const text = await readFile(path, 'utf8');
  await expect(left()).rejects.toThrow(path);
  expect(await filesIn()).toEqual(names);
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(damages).toEqual([]);
});
