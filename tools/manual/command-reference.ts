import type { Command } from 'commander';
import { programFor } from '../../src/program/cli/cli.ts';
import { CliContext } from '../../src/program/cli/cli-context.ts';

// The reference of commands as a document, out of their own help.

const none = (): Promise<never> => Promise.reject(new Error('nothing is run here'));
const PARTS = {
  start: none,
  restore: none,
  verifyBackup: none,
  planUpgrade: none,
  migrate: none,
  listModels: none,
  probe: none,
};

/** The program's commands, to be read and not run. */
export function programToRead(): Command {
  const nothing = (): void => undefined;
  return programFor(
    new CliContext(
      {
        env: {},
        cwd: '/',
        out: nothing,
        drained: () => Promise.resolve(),
        err: nothing,
        stopped: () => new AbortController().signal,
        ask: () => Promise.resolve(null),
        askSecret: () => Promise.resolve(null),
      },
      PARTS,
      false,
    ),
  );
}

const cell = (text: string): string =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replace(/\s+/g, ' ');

function optionTable({ options }: Command): string {
  if (options.length === 0) return '';
  const rows = options.map(({ flags, description }) => `| \`${flags.replaceAll('|', '/')}\` | ${cell(description)} |`);
  return `\n| Option | |\n|---|---|\n${rows.join('\n')}\n`;
}

function describe(command: Command, path: string): string {
  const inner = command.commands.map((each) => describe(each, `${path} ${each.name()}`));
  const words = command.registeredArguments.map((each) => (each.required ? ` <${each.name()}>` : ` [${each.name()}]`));
  const isGroup = inner.length > 0 && words.length === 0;
  const own = `### \`${path}${words.join('')}\`\n\n${cell(command.description() || command.summary()).replace(/\.$/, '')}.\n${optionTable(command)}`;
  return [...(isGroup ? [] : [own]), ...inner].join('\n');
}

/** The document, in the groups of `faregate --help`. */
export function commandReference(): string {
  const program = programToRead();
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const parts = [...groups].map(([heading, commands]) => {
    const described = commands.map((command) => describe(command, `faregate ${command.name()}`));
    return `## ${heading.replace(/:$/, '')}\n\n${described.join('\n')}`;
  });
  return `# Commands

What \`faregate --help\` and the help of each command say. Commands speak to the running instance; \`--json\` makes any of them answer in
JSON.
${optionTable(program)}
${parts.join('\n')}`;
}
