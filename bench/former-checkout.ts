import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Instance } from './instance.ts';

// The program as it was at another commit, put in a directory of its own, so that both can be loaded in one run.

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Another commit's program. */
export interface Former {
  /** Starts it before the upstream. The caller stops it. */
  start(upstreamPort: number): Promise<Instance>;
  /** Opens an account in its database and answers with its key. */
  openKey(instance: Instance): Promise<string>;
  remove(): Promise<void>;
}

interface FormerInstances {
  readonly startInstance: (upstreamPort: number) => Promise<Instance>;
}

interface FormerTenants {
  readonly openTenant: (database: Instance['database']) => Promise<{ readonly key: { readonly key: string } }>;
}

/** The reason why the commit can't be measured here. */
export type Missing = { readonly missing: string };

/** Puts the commit in a directory of its own, with its packages. The caller removes it. */
export async function checkOut(commit: string): Promise<Former | Missing> {
  const has = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
  if (!has) return { missing: `the commit ${commit} is not in this checkout` };
  const folder = await mkdtemp(join(tmpdir(), `faregate-bench-${commit}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: ROOT });
  if (await fits(folder)) {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } else {
    const failure = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder }).then(
      () => null,
      (fault: unknown) => (fault instanceof Error ? fault.message : String(fault)),
    );
    if (failure !== null) {
      await remove();
      return { missing: `the packages of ${commit} can't be installed: ${failure.split('\n', 1)[0]}` };
    }
  }
  const load = async <Module>(file: string): Promise<Module> =>
    (await import(pathToFileURL(join(folder, 'bench', file)).href)) as Module;
  const { startInstance } = await load<FormerInstances>('instance.ts');
  const { openTenant } = await load<FormerTenants>('tenants.ts');
  return {
    start: startInstance,
    openKey: async ({ database }) => (await openTenant(database)).key.key,
    remove,
  };
}

/** Whether the packages that are installed here are those of the commit. */
async function fits(folder: string): Promise<boolean> {
  const { dependencies } = await packageAt<{ dependencies: Record<string, string> }>(folder);
  for (const [name, version] of Object.entries(dependencies)) {
    const installed = await packageAt<{ version: string }>(join(ROOT, 'node_modules', name)).catch(() => null);
    if (installed?.version !== version) return false;
  }
  return true;
}

async function packageAt<Content>(folder: string): Promise<Content> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Content;
}
