import type { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { programToRead } from '../../tools/manual/command-reference.ts';

function wordsBelow(command: Command, path: string): readonly (readonly [where: string, word: Argument | Option])[] {
  const own = [...command.options, ...command.registeredArguments].map((word) => {
    const text = 'flags' in word ? word.flags : `<${word.name()}>`;
    return [`${path} ${text}`, word] as const;
  });
  return [...own, ...command.commands.flatMap((each) => wordsBelow(each, `${path} ${each.name()}`))];
}

/** Whether the word takes a text as it is. */
function takes({ parseArg }: Argument | Option, text: string): boolean {
  try {
    return parseArg === undefined || parseArg(text, undefined) === text;
  } catch {
    return false;
  }
}

test('a word for an amount, a number or a time refuses what is none', () => {
  // What a start is given is read as the config file is.
  const read = wordsBelow(programToRead(), 'faregate').filter(([where]) =>
    /^(?!faregate start ).*<(usd|number|n|count|hours|days|seconds|time)>$/.test(where),
  );
  expect(read.length).toBeGreaterThan(30);
  expect(read.filter(([, word]) => takes(word, 'nonsense')).map(([where]) => where)).toEqual([]);
});
