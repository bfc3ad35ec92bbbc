import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownTurn } from './own-turn.ts';

test('each piece of work has a turn that no other has', async () => {
  let turn = 0;
  const turns: number[] = [];
  const pieces = Array.from({ length: 5 }, () => ownTurn().then(() => turns.push(turn)));
  while (turns.length < 5) {
    await nextTurn();
    turn++;
  }
  await Promise.all(pieces);
  expect(new Set(turns).size).toBe(5);
});
