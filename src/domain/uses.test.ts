import { expect, test } from 'vitest';
import { addUse, type ToolUses, USES_MAX, heaviestUses, sumUses } from './uses.ts';

test('the uses of a tool are counted up to the most that an answer has, and those of others by themselves', () => {
  const uses: { -readonly [Tool in keyof ToolUses]: ToolUses[Tool] } = { web_search: USES_MAX - 1 };
  addUse(uses, 'web_search');
  expect(uses).toEqual({ web_search: USES_MAX });
  addUse(uses, 'web_search');
  addUse(uses, 'mcp');
  expect(uses).toEqual({ web_search: USES_MAX, mcp: 1 });
});

test('uses of two answers add up, and a tool that neither used is absent', () => {
  expect(sumUses({ web_search: 2, mcp: 1 }, { web_search: 3, computer: 4 })).toEqual({
    web_search: 5,
    mcp: 1,
    computer: 4,
  });
  expect(sumUses({}, { mcp: 0 })).toEqual({});
});

test('the most expensive uses within a bound take the most expensive tools first, each as often as it may be', () => {
  const weights: Readonly<Record<string, bigint>> = { web_search: 10n, mcp: 3n, computer: 7n };
  const heaviest = (each: Readonly<Record<string, number>>, total: number): bigint =>
    heaviestUses({ each, total }, (tool) => weights[tool] ?? 1_000n);
  expect(heaviest({ mcp: 5, web_search: 2, computer: 1 }, 4)).toBe(2n * 10n + 7n + 3n);
  expect(heaviest({ mcp: 5, web_search: 2, computer: 1 }, 100)).toBe(2n * 10n + 7n + 5n * 3n);
  expect(heaviest({}, 100)).toBe(0n);
});
