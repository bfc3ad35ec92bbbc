import type { Command } from 'commander';
import { programFor } from '../../src/program/cli/cli.ts';
import { CliContext } from '../../src/program/cli/cli-context.ts';
import type { Program } from './program.ts';
import { type CliResult, NO_PARTS, surroundingsOf } from './run-command.ts';

/** The commands of the product against a started program, each written as one line. A word may be in single quotes. */
export class Commands {
  readonly #program: Program;
  /** The lines that were run. */
  readonly lines: string[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  /** Runs a command that must succeed, and returns its text. */
  async text(line: string): Promise<string> {
    const { code, stdout, stderr } = await this.#run(line);
    if (code !== 0) throw new Error(`"${line}" failed: ${stderr}`);
    if (/undefined|\[object|NaN/.test(stdout))
      throw new Error(`"${line}" prints a value that it does not know: ${stdout}`);
    return stdout;
  }

  /** Runs one with --json, which must succeed, and returns what it printed. */
  async json<Result = { readonly id: string }>(line: string): Promise<Result> {
    const { code, stdout, stderr } = await this.#run(line, '--json');
    if (code !== 0) throw new Error(`"${line}" failed: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  /** Runs one that must fail, and returns the error's code. */
  async refusal(line: string): Promise<string> {
    const { code, stderr } = await this.#run(line, '--json');
    if (code === 0) throw new Error(`"${line}" did not fail`);
    return (JSON.parse(stderr) as { error: { code: string } }).error.code;
  }

  async #run(line: string, ...more: readonly string[]): Promise<CliResult> {
    this.lines.push(line);
    return await this.#program.cli(...wordsOf(line), ...more);
  }
}

/** The words of a line; what is in quotes is one word. */
export function wordsOf(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** The context of commands that are looked at, and not run. */
const contextForReading = (): CliContext =>
  new CliContext(surroundingsOf({ env: {}, cwd: '/' }, { stdout: '', stderr: '' }), NO_PARTS, false);

/** The names of all commands that run, such as `key create`, in the order of the help. */
export function commandNames(): readonly string[] {
  const context = contextForReading();
  const namesOf = (command: Command, path: readonly string[]): readonly string[] =>
    command.commands.length === 0 || command.registeredArguments.length > 0
      ? [path.join(' '), ...command.commands.flatMap((inner) => namesOf(inner, [...path, inner.name()]))]
      : command.commands.flatMap((inner) => namesOf(inner, [...path, inner.name()]));
  return namesOf(programFor(context), []);
}

/** The options of commands that the options of a command above them take the place of, such as "webhook update --url". */
export function hiddenOptions(): readonly string[] {
  const context = contextForReading();
  const hiddenIn = (command: Command, path: readonly string[], above: readonly string[]): readonly string[] => {
    const own = command.options.flatMap(({ long, short }) => [long, short].filter((flag) => typeof flag === 'string'));
    return [
      ...own.filter((flag) => above.includes(flag)).map((flag) => [...path, flag].join(' ')),
      ...command.commands.flatMap((inner) => hiddenIn(inner, [...path, inner.name()], [...above, ...own])),
    ];
  };
  return hiddenIn(programFor(context), [], []);
}
