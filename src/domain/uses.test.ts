import { expect, test } from 'vitest';
import { addUse, type ToolUses, USES_MAX } from './uses.ts';

test('the uses of a tool are counted up to the most that an answer has, and those of others by themselves', () => {
  const uses: { -readonly [Tool in keyof ToolUses]: ToolUses[Tool] } = { web_search: USES_MAX - 1 };
  addUse(uses, 'web_search');
  expect(uses).toEqual({ web_search: USES_MAX });
  addUse(uses, 'web_search');
  addUse(uses, 'mcp');
  expect(uses).toEqual({ web_search: USES_MAX, mcp: 1 });
});
