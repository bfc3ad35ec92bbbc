import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openConsoles } from '../support/open-consoles.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { Load, type Seen } from '../upgrade/load.ts';
import { type CountingProvider, startCountingProvider } from '../upgrade/provider.ts';
import { breaks, isCutStream, soakConfig } from './faults.ts';
import { Leavers } from './leavers.ts';
import type { SoakReport } from './report.ts';
import { type Part, Samples } from './samples.ts';

// A program with two workers serves clients of all dialects for a long time, with all that befalls one at a company: a provider that
// fails, clients that leave, reloads, consoles, a roll of its workers and a backup. Then it must hold what it held before.

const CONSOLES = 4;
const CLIENTS_OF_EACH = 1;
const REST_MS = 100;
/** The stretches that are compared, as parts of the whole: both are after the roll, since new workers begin small. */
const FORMER = [0.3, 0.45] as const;
const LATTER = [0.85, 1] as const;
const ROLL_AT = 0.15;
const BACKUP_AT = 0.5;
const RELOADS = 10;
/** Collectors of garbage and allocators take their time. */
const GROWTH_MAX = 1.1;
const GROWTH_MB_MAX = 8;
const HANDLES_MAX = 5;
/** Connections are closed once they were idle, and receipts are settled. */
const QUIET_MS_MAX = 90_000;

/** Serves for so long, then proves. Stops all that it has started. */
export async function soak(durationMs: number, say: (line: string) => void): Promise<SoakReport> {
  const provider = await startCountingProvider({ fails: breaks });
  const options = { config: soakConfig(provider, 0), args: ['--bootstrap', '--workers', '2'], beside: [provider] };
  const program = await startProgram(options);
  try {
    return await soakProgram(program, { provider, durationMs, say });
  } finally {
    await program.dispose();
  }
}

interface Soaking {
  readonly provider: CountingProvider;
  readonly durationMs: number;
  readonly say: (line: string) => void;
}

async function soakProgram(program: Program, { provider, durationMs, say }: Soaking): Promise<SoakReport> {
  const faults: string[] = [];
  const samples = new Samples(program.pid);
  const { key, workspaceId } = await program.createTenant({ credit: '1000000' });
  const people = [await signedIn(program, { workspaceId }), await signedIn(program, { workspaceId })];
  const load = new Load(program.url, key, { clientsOfEach: CLIENTS_OF_EACH, restMs: REST_MS });
  const leavers = new Leavers(program.url, key);
  const fromMs = performance.now();
  const until = (part: number): Promise<void> => delay(Math.max(0, fromMs + part * durationMs - performance.now()));
  const note = (line: string): void => say(`${Math.round((performance.now() - fromMs) / 1_000)} s: ${line}`);
  const reloading = reloadNow(program, provider, until);

  const consoles = openConsoles(program.url, people, CONSOLES);
  await consoles.opened;
  await until(ROLL_AT);
  const rolled = await program.cli('restart');
  if (rolled.code !== 0) faults.push(`the roll: ${rolled.stderr}`);
  note('the workers are replaced');
  // Their streams ended with the workers.
  await consoles.stop();
  const laterConsoles = openConsoles(program.url, people, CONSOLES);
  await until(BACKUP_AT);
  const backup = join(program.data, '..', 'soak.backup');
  const saved = await program.cli('backup', backup);
  if (saved.code !== 0) faults.push(`the backup: ${saved.stderr}`);
  await rm(backup, { force: true });
  note('a backup is written');
  await until(1);
  const stretches = [FORMER, LATTER].map(
    ([from, to]) => [fromMs + from * durationMs, fromMs + to * durationMs] as const,
  );
  await reloading;
  await Promise.all([load.stop(), leavers.stop(), laterConsoles.stop()]);
  note('the load has ended');

  const quiet = await quietened(program);
  samples.stop();
  const lines = [
    servedText(load.seen, leavers.left),
    `${laterConsoles.tally.waits.length} answers to ${CONSOLES} consoles, ${laterConsoles.tally.events} events`,
    ...(['supervisor', 'worker', 'database'] as const).map((part) => growthOf(samples, stretches, { part, faults })),
    `when nobody calls any more: ${quiet.text}`,
  ];
  faults.push(...quiet.faults, ...unexplained(load.seen));
  faults.push(...[...laterConsoles.tally.refused].map(([answer, count]) => `a console got ${answer}, ${count} times`));
  const { differences } = await verifyLedger(await program.openDatabase());
  faults.push(...differences.map((one) => `the ledger: ${JSON.stringify(one, (_, v: unknown) => String(v))}`));
  const bugs = program
    .stderr()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
  faults.push(...bugs.map((line) => `the log: ${line.slice(0, 400)}`));
  return { lines, faults };
}

/** Rewrites the config file again and again, each time with another price, which the program takes up by itself. */
async function reloadNow(
  program: Program,
  provider: CountingProvider,
  until: (part: number) => Promise<void>,
): Promise<void> {
  for (let count = 1; count < RELOADS; count += 1) {
    await until(count / RELOADS);
    await writeFile(join(program.data, '..', 'faregate.yaml'), soakConfig(provider, count));
  }
}

function growthOf(
  samples: Samples,
  stretches: readonly (readonly [number, number])[],
  { part, faults }: { readonly part: Part; readonly faults: string[] },
): string {
  const [former, latter] = stretches.map(([from, to]) => samples.between(from, to, part));
  if (former === undefined || latter === undefined) throw new Error('two stretches are compared');
  const most = former.megabytes * GROWTH_MAX + GROWTH_MB_MAX;
  if (latter.megabytes > most) faults.push(`the ${part} grew from ${former.megabytes} to ${latter.megabytes} MB`);
  if (latter.handles > former.handles + HANDLES_MAX) {
    faults.push(`the ${part} had ${former.handles} handles, and has ${latter.handles}`);
  }
  const [before, after] = [former, latter].map(({ megabytes }) => megabytes.toFixed(0));
  return `${part}: ${before} to ${after} MB, ${former.handles} to ${latter.handles} handles`;
}

/** What must be gone once nobody calls any more. */
const HELD = [
  'faregate_open_holds',
  'faregate_waiting_holds',
  'faregate_unsettled_receipts',
  'faregate_buffered_bytes',
  'faregate_waiting_statements',
];

/** Waits until nothing is held any more, or too long. */
async function quietened(program: Program): Promise<{ readonly text: string; readonly faults: readonly string[] }> {
  const deadlineMs = performance.now() + QUIET_MS_MAX;
  for (;;) {
    const metrics = await program.metrics();
    const held = HELD.map((name) => [name, valueOf(metrics, name)] as const);
    // The question itself is one.
    const connections = valueOf(metrics, 'faregate_connections');
    const running = valueOf(metrics, 'faregate_running_requests');
    const rest = held.filter(([, value]) => value !== 0);
    if (rest.length === 0 && connections <= 1 && running <= 1) return { text: 'nothing is held', faults: [] };
    if (performance.now() > deadlineMs) {
      const text = [
        ...rest.map(([name, value]) => `${name} ${value}`),
        `${connections} connections`,
        `${running} running`,
      ].join(', ');
      return { text, faults: [`after the load there is still: ${text}`] };
    }
    await delay(500);
  }
}

function valueOf(metrics: string, name: string): number {
  const values = Array.from(metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm')), ([, value]) =>
    Number(value),
  );
  if (values.length === 0) throw new Error(`there is no metric ${name}`);
  return values.reduce((sum, value) => sum + value, 0);
}

function servedText(seen: readonly Seen[], left: number): string {
  const counts = Map.groupBy(seen, ({ dialect, isWhole }) => `${dialect}${isWhole ? '' : ' not whole'}`);
  return `${seen.length} requests: ${[...counts].map(([what, each]) => `${each.length} ${what}`).join(', ')}; ${left} clients left`;
}

/** A stream that the provider cuts off can't be whole; all else is served by the provider that does not fail. */
function unexplained(seen: readonly Seen[]): readonly string[] {
  return seen
    .filter((one) => !one.isWhole && !isCutStream(one))
    .map(({ dialect, question, status, reason }) => `${dialect} ${question}: ${status} ${reason}`);
}
