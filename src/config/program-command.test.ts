import { expect, test } from 'vitest';
import { programCommand, withCommand } from './program-command.ts';

test('commands in a text get the name by which its reader runs the program, and nothing else changes', () => {
  const text = 'faregate: run "faregate start", or see the docs of faregate\n\nExample:\n  $ faregate key list\n';
  expect(withCommand(text, 'npx faregate')).toBe(
    'faregate: run "npx faregate start", or see the docs of faregate\n\nExample:\n  $ npx faregate key list\n',
  );
  expect(withCommand(text, "$& '$1'")).toContain(`"$& '$1' start"`);
});

test('a program that no launcher has started is called by its name', () => {
  expect(programCommand({})).toBe('faregate');
  expect(programCommand({ FAREGATE_COMMAND: 'bin/faregate' })).toBe('bin/faregate');
});
