import type { Command } from 'commander';
import { programFor, runCli } from '../../src/program/cli/cli.ts';
import { CliContext, type ProgramParts, type Surroundings } from '../../src/program/cli/cli-context.ts';
import type { Program } from './program.ts';

const NO_PARTS: ProgramParts = {
  start: () => Promise.reject(new Error('nothing is started here')),
  probe: () => Promise.reject(new Error('nothing is probed here')),
  restore: () => Promise.reject(new Error('nothing is restored here')),
};

/** The commands of the product against a started program, without a process for each. A word may be in single quotes. */
export class Commands {
  readonly #program: Program;
  /** The lines that were run. */
  readonly lines: string[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  /** Runs a command that must succeed, and returns its text. */
  async text(line: string): Promise<string> {
    const { code, out, err } = await this.#run(line, []);
    if (code !== 0) throw new Error(`"${line}" failed: ${err}`);
    if (/undefined|\[object|NaN/.test(out)) throw new Error(`"${line}" prints a value that it does not know: ${out}`);
    return out;
  }

  /** Runs one with --json, which must succeed, and returns what it printed. */
  async json<Result = { readonly id: string }>(line: string): Promise<Result> {
    const { code, out, err } = await this.#run(line, ['--json']);
    if (code !== 0) throw new Error(`"${line}" failed: ${err}`);
    return JSON.parse(out) as Result;
  }

  /** Runs one that must fail, and returns the error's code. */
  async refusal(line: string): Promise<string> {
    const { code, err } = await this.#run(line, ['--json']);
    if (code === 0) throw new Error(`"${line}" did not fail`);
    return (JSON.parse(err) as { error: { code: string } }).error.code;
  }

  async #run(line: string, more: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    this.lines.push(line);
    const printed = { out: '', err: '' };
    const { data, url, operatorToken } = this.#program;
    const env = { FAREGATE_DATA: data, FAREGATE_URL: url, FAREGATE_OPERATOR_TOKEN: operatorToken };
    const code = await runCli([...wordsOf(line), ...more], NO_PARTS, surroundings(env, printed));
    return { code, ...printed };
  }
}

/** The words of a line; what is in quotes is one word. */
export function wordsOf(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** The names of all commands that run, such as `key create`, in the order of the help. */
export function commandNames(): readonly string[] {
  const context = new CliContext(surroundings({}, { out: '', err: '' }), NO_PARTS, false);
  const namesOf = (command: Command, path: readonly string[]): readonly string[] =>
    command.commands.length === 0 || command.registeredArguments.length > 0
      ? [path.join(' '), ...command.commands.flatMap((inner) => namesOf(inner, [...path, inner.name()]))]
      : command.commands.flatMap((inner) => namesOf(inner, [...path, inner.name()]));
  return namesOf(programFor(context), []);
}

/** The options of commands that the options of a command above them take the place of, such as "webhook update --url". */
export function hiddenOptions(): readonly string[] {
  const context = new CliContext(surroundings({}, { out: '', err: '' }), NO_PARTS, false);
  const hiddenIn = (command: Command, path: readonly string[], above: readonly string[]): readonly string[] => {
    const own = command.options.flatMap(({ long, short }) => [long, short].filter((flag) => typeof flag === 'string'));
    return [
      ...own.filter((flag) => above.includes(flag)).map((flag) => [...path, flag].join(' ')),
      ...command.commands.flatMap((inner) => hiddenIn(inner, [...path, inner.name()], [...above, ...own])),
    ];
  };
  return hiddenIn(programFor(context), [], []);
}

function surroundings(env: Record<string, string>, printed: { out: string; err: string }): Surroundings {
  return {
    env,
    cwd: env['FAREGATE_DATA'] ?? '/',
    out: (text) => void (printed.out += text),
    drained: () => Promise.resolve(),
    err: (text) => void (printed.err += text),
    stopped: () => new AbortController().signal,
    ask: () => Promise.resolve(null),
  };
}
