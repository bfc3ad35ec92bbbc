import { runCli } from '../../src/program/cli/cli.ts';
import type { ProgramParts, Surroundings } from '../../src/program/cli/cli-context.ts';

// The commands of the product without a process for each: a process takes a third of a second of a processor to load them.
// That its output and its exit code are those of the command is tested with the launcher, and once in operations/commands.

/** What a command has printed, and its exit code. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts for commands that start none. */
export const NO_PARTS: ProgramParts = {
  start: () => Promise.reject(new Error('nothing is started here')),
  restore: () => Promise.reject(new Error('nothing is restored here')),
  verifyBackup: async (...given) => await (await import('../../src/program/app/restore.ts')).verifyBackup(...given),
  planUpgrade: async (config) => await (await import('../../src/program/app/migrate-instance.ts')).planInstance(config),
  migrate: async (config) => await (await import('../../src/program/app/migrate-instance.ts')).migrateInstance(config),
  listModels: async (provider) => await (await import('../../src/program/app/probe.ts')).modelsAt(provider),
  probe: async (config) => await (await import('../../src/program/app/probe.ts')).probeProviders(config),
};

/** Without a terminal; what is printed is added to `printed`. */
export function surroundingsOf(
  { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>,
  printed: { stdout: string; stderr: string },
): Surroundings {
  return {
    env,
    cwd,
    out: (text) => void (printed.stdout += text),
    drained: () => Promise.resolve(),
    err: (text) => void (printed.stderr += text),
    stopped: () => new AbortController().signal,
    ask: () => Promise.resolve(null),
    askSecret: () => Promise.resolve(null),
  };
}

/** Runs a command to its end. */
export async function runCommand(
  args: readonly string[],
  where: Pick<Surroundings, 'env' | 'cwd'>,
): Promise<CliResult> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCli(args, NO_PARTS, surroundingsOf(where, printed));
  return { code, ...printed };
}
