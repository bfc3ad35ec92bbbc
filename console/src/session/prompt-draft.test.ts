import { beforeEach, expect, test, vi } from 'vitest';
import { forgetDraft, keepDraft, keptDraft, wayBackToPrompt } from './prompt-draft.ts';

const DRAFT = { user: 'u', workspace: 'w', prompt: { text: 'hello' }, wayBack: '/playground' };

let stored: Map<string, string>;
let roomFor: number;

beforeEach(() => {
  stored = new Map();
  roomFor = 1_000;
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > roomFor) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => stored.delete(key),
  });
});

test('a prompt is kept for who typed it, in its workspace, until it is forgotten', () => {
  expect(keptDraft('u', 'w')).toBeNull();
  keepDraft(DRAFT);
  expect([keptDraft('u', 'w'), keptDraft('v', 'w'), keptDraft('u', 'x')]).toEqual([DRAFT.prompt, null, null]);
  expect([wayBackToPrompt('u', 'w'), wayBackToPrompt('v', 'w')]).toEqual(['/playground', null]);
  forgetDraft();
  expect([keptDraft('u', 'w'), wayBackToPrompt('u', 'w')]).toEqual([null, null]);
});

test('a prompt that the storage has no room for leaves none of an earlier one', () => {
  keepDraft(DRAFT);
  roomFor = 10;
  keepDraft({ ...DRAFT, prompt: 'longer' });
  expect(keptDraft('u', 'w')).toBeNull();
});
