import './lib/node-22.ts';
import { runCli } from './program/cli/cli.ts';
import type { ProgramParts } from './program/cli/cli-context.ts';
import type { Config, ProviderConfig } from './config/config.ts';

// The process's entry. Commands that talk to a running instance never load the server's code.

async function start(config: Config, read: () => Promise<Config>): Promise<void> {
  const { serve } = await import('./program/app/serve.ts');
  await serve(config, read);
}

async function restore(...given: Parameters<ProgramParts['restore']>): Promise<void> {
  const { restoreInstance } = await import('./program/app/restore.ts');
  await restoreInstance(...given);
}

async function verifyBackup(
  ...given: Parameters<ProgramParts['verifyBackup']>
): ReturnType<ProgramParts['verifyBackup']> {
  const { verifyBackup: verify } = await import('./program/app/restore.ts');
  return await verify(...given);
}

async function probe(config: Config): ReturnType<ProgramParts['probe']> {
  const { probeProviders } = await import('./program/app/probe.ts');
  return await probeProviders(config);
}

async function listModels(provider: ProviderConfig): ReturnType<ProgramParts['listModels']> {
  const { modelsAt } = await import('./program/app/probe.ts');
  return await modelsAt(provider);
}

async function planUpgrade(config: Config): ReturnType<ProgramParts['planUpgrade']> {
  const { planInstance } = await import('./program/app/migrate-instance.ts');
  return await planInstance(config);
}

async function migrate(config: Config): ReturnType<ProgramParts['migrate']> {
  const { migrateInstance } = await import('./program/app/migrate-instance.ts');
  return await migrateInstance(config);
}

process.exitCode = await runCli(process.argv.slice(2), {
  start,
  restore,
  verifyBackup,
  probe,
  listModels,
  planUpgrade,
  migrate,
});
