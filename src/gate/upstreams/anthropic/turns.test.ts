import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConversation } from './turns.ts';
import type { Turn } from './wire.ts';

const said = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== '');
const id = fc.oneof(fc.stringMatching(/^call_[\w-]{1,8}$/), fc.string({ minLength: 1, maxLength: 6 }));
const args = fc.dictionary(said, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
const call = fc.record({ id, name: fc.stringMatching(/^\w{1,8}$/), args });

/** Messages of people, and rounds of calls with their results, some out of order or with other messages in between. */
const exchange = fc.oneof(
  said.map((content) => [{ role: 'user', content }]),
  said.map((content) => [{ role: 'system', content }]),
  said.map((content) => [{ role: 'assistant', content }]),
  fc
    .record({
      calls: fc.uniqueArray(call, { minLength: 1, maxLength: 3, selector: (each) => each.id }),
      talk: fc.option(said),
      isTurned: fc.boolean(),
    })
    .map(({ calls, talk, isTurned }) => {
      const asked = calls.map(({ id: callId, name, args: value }) => ({
        id: callId,
        type: 'function',
        function: { name, arguments: JSON.stringify(value) },
      }));
      const answers = calls.map((each) => ({ role: 'tool', tool_call_id: each.id, content: `answer ${each.id}` }));
      const ordered = isTurned ? answers.toReversed() : answers;
      const between = talk === null ? [] : [{ role: 'user', content: talk }];
      return [
        { role: 'assistant', content: null, tool_calls: asked },
        ...ordered.slice(0, 1),
        ...between,
        ...ordered.slice(1),
      ];
    }),
);

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

const conversation = fc
  .tuple(said, fc.array(exchange, { maxLength: 6 }))
  .map(([first, rest]) => [{ role: 'user', content: first }, ...rest.flat()] as readonly Message[]);

const blocksOf = (turns: readonly Turn[], role: Turn['role']) =>
  turns.flatMap((turn): readonly Turn['content'][number][] => (turn.role === role ? turn.content : []));

test('a conversation with Anthropic keeps calls, their names and arguments, answers and texts, in order', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const { system, turns } = readConversation(messages, { cacheLivesLong: false });
      const calls = messages.flatMap((message) => message.tool_calls ?? []);
      const uses = blocksOf(turns, 'assistant').filter((block) => block.type === 'tool_use');
      expect(uses.map(({ name, input }) => [name, JSON.stringify(input)])).toEqual(
        calls.map((each) => [each.function.name, each.function.arguments]),
      );
      const spelt = new Map(calls.map((each, index) => [each.id, uses[index]?.id]));
      expect(new Set(spelt.values()).size).toBe(spelt.size);
      for (const [theirs, ours] of spelt) {
        expect(ours).toMatch(/^[\w-]+$/);
        if (/^[\w-]+$/.test(theirs)) expect(ours).toBe(theirs);
      }
      const answers = messages.filter(({ role }) => role === 'tool');
      const results = blocksOf(turns, 'user').filter((block) => block.type === 'tool_result');
      expect(results.map((block) => [block.tool_use_id, block.content])).toEqual(
        answers.map((message) => [spelt.get(message.tool_call_id ?? ''), message.content]),
      );
      const textsOf = (blocks: readonly { readonly type: string; readonly text?: string }[]) =>
        blocks.filter((block) => block.type === 'text').map((block) => block.text);
      const texts = (role: string) =>
        messages
          .filter((message) => message.role === role && message.content !== null)
          .map((message) => message.content);
      expect(textsOf(system)).toEqual(texts('system'));
      expect(textsOf(blocksOf(turns, 'user'))).toEqual(texts('user'));
      expect(textsOf(blocksOf(turns, 'assistant'))).toEqual(texts('assistant'));
    }),
  );
});

test('a conversation with Anthropic has turns that alternate, none empty, and answers to calls first in theirs', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const { turns } = readConversation(messages, { cacheLivesLong: false });
      for (const [index, turn] of turns.entries()) {
        expect(turn.content.length).toBeGreaterThan(0);
        expect(turn.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
        const types = turn.content.map((block) => block.type === 'tool_result');
        expect(types).toEqual(types.toSorted((one, other) => Number(other) - Number(one)));
        const results = turn.role === 'user' ? turn.content.filter((block) => block.type === 'tool_result') : [];
        const before = turns[index - 1]?.content ?? [];
        const uses = before.filter((block) => block.type === 'tool_use').map((block) => block.id);
        for (const result of results) expect(uses).toContain(result.tool_use_id);
      }
    }),
  );
});

test('a conversation with Anthropic whose calls have more values than any request is refused, however spread', () => {
  const text = `{"a":[${'{},'.repeat(250_000)}1]}`;
  const callOf = (callId: string) => ({ id: callId, function: { name: 'f', arguments: text } });
  const read = (calls: number) =>
    readConversation(
      Array.from({ length: calls }, (_, index) => ({ role: 'assistant', tool_calls: [callOf(`c${index}`)] })),
      { cacheLivesLong: false },
    );
  expect(read(1).turns).toHaveLength(1);
  expect(() => read(3)).toThrow(/tool_calls\[0\]\.function\.arguments/);
});
