import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CATALOGUE_COMMANDS } from '../../../control/operations/catalogue-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { notes, plain, table, yesOrNo } from '../text-layout.ts';

type Providers = Awaited<ReturnType<AdminClient['listProviders']>>;
type Provider = Providers['data'][number];
type Route = Provider['routes'][number];

/** `provider list|probe|remove`: the providers and their routes, and which of them answer. */
export function addProviderCommands(program: Command, context: CliContext): void {
  const provider = program.command('provider').summary('providers, and the routes of models to them');
  const commands = new DeclaredCommands(provider, context, CATALOGUE_COMMANDS);
  commands.say('provider list', providersText);
  commands.say('provider probe', probeText);
  commands.say('provider remove', ({ name }) => `Removed the provider ${plain(name)}.\n`, {
    confirm: ({ provider: name }) => `This removes the provider ${plain(name)} with its key.`,
  });
}

type Probe = Awaited<ReturnType<AdminClient['probeProvider']>>;

function probeText({ problem, models, prices_from: source }: Probe): string {
  if (problem !== null) return `It lists no models: ${plain(problem)}.\n`;
  const rows = models.map(({ id, proposed, declaration }) => [
    id,
    declaration === null ? 'not known' : 'known',
    yesOrNo(proposed),
  ]);
  const listed = table(['MODEL THERE', 'COST', 'PROPOSED'], rows, 'It has no models.');
  return source === null ? listed : `${listed}\nCosts are those of ${plain(source)}.\n`;
}

function providersText(providers: Providers): string {
  const rows = providers.data.map(({ name, kind, state, attempts, concurrency_max: most }) => [
    name,
    kind,
    state,
    attempts,
    most ?? 'no limit',
  ]);
  const right = ['ATTEMPTS', 'MOST EACH'];
  const listed = table(['PROVIDER', 'KIND', 'STATE', ...right], rows, 'There is no provider.', right);
  const routes = providers.data.flatMap((provider) => provider.routes.map((route) => cellsOf(provider, route)));
  if (routes.length === 0) return listed + missing(providers);
  const results = ['ANSWERED', 'FAILED'];
  const headings = ['MODEL', 'PROVIDER', 'MODEL THERE', 'STATE', 'WHY', 'UNTIL', ...results];
  return `${listed}\n${table(headings, routes, '', results)}\n${dayText(providers)}${missing(providers)}`;
}

/** How the attempts of the last 24 hours ended, of each provider and of each of its routes. */
function dayText({ data, day_since: since }: Providers): string {
  const rows = data.flatMap(({ name, day, routes }) => [
    dayCells(name, null, day),
    ...routes.map((route) => dayCells(name, route.model, route.day)),
  ]);
  const right = ['ATTEMPTS', 'FAILED', 'FIRST P50', 'FIRST P99', 'WHOLE P50', 'WHOLE P99'];
  const headings = [`PROVIDER SINCE ${since}`, 'MODEL', ...right, 'FAULTS', 'LAST ANSWER', 'LAST FAULT', 'ITS REQUEST'];
  return table(headings, rows, '', right);
}

function dayCells(provider: string, model: string | null, day: Provider['day']): readonly (string | number | null)[] {
  const { attempts, failed, faults, first_event_ms: first, whole_ms: whole, last_fault: last } = day;
  const kinds = faults.map((fault) => `${fault.kind} ${fault.attempts}`).join(', ');
  return [
    provider,
    model,
    attempts,
    failed,
    ...[first?.p50, first?.p99, whole?.p50, whole?.p99].map((ms) => (ms === undefined ? null : `${ms} ms`)),
    kinds === '' ? null : kinds,
    day.last_answer_at,
    last === null ? null : `${last.at} ${last.status ?? last.kind}`,
    last?.request_id ?? null,
  ];
}

function cellsOf({ name }: Provider, route: Route): readonly (string | number | null)[] {
  const { model, upstream_model: upstream, state, processes, rest, answered, failed } = route;
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const where = processes[state] === all ? state : `${state} in ${processes[state]} of ${all}`;
  return [model, name, upstream, where, rest === null ? null : causeOf(rest), rest?.until ?? null, answered, failed];
}

const CAUSES = {
  provider_asked: 'its provider asked for it',
  failures: 'too many attempts failed',
  key_refused: 'its provider refuses the key',
} as const;

function causeOf({ cause, fault, status }: NonNullable<Route['rest']>): string {
  return `${CAUSES[cause]} (${status ?? fault})`;
}

function missing({ processes, processes_answered: answered }: Providers): string {
  return answered === processes ? '' : notes([`Of ${processes} processes only ${answered} answered within a second.`]);
}
