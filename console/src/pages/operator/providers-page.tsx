import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type {
  ProviderJson,
  ProviderRouteJson,
  ProvidersJson,
} from '../../../../src/control/admin/providers/provider-contract.ts';
import { CATALOGUE_COMMANDS } from '../../../../src/control/operations/catalogue-commands.ts';
import { providersQuery } from '../../api/providers.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { formatCount, formatNumberOf } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Initials } from '../../ui/initials.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import { Declared, type OfferSearch, ProviderAdd } from './declared-offer.tsx';
import { DAY_COLUMNS, daySentence } from './route-day.tsx';
import { CAUSE_WORDS, PROVIDER_WORDS, ROUTE_WORDS, UNANSWERED_WORDS } from './provider-words.ts';

const page = getRouteApi('/in/operators/operator/providers');
const LOOK_EVERY_MS = 5_000;

export function ProvidersPage(): ReactNode {
  const { data, error, refetch } = useQuery({ ...providersQuery, refetchInterval: LOOK_EVERY_MS });
  const look = (): void => void refetch();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const show = (next: OfferSearch, replace = false): void =>
    void navigate({ search: next, replace, resetScroll: false });
  return (
    <Page
      title="Providers"
      answers="Which routes to your models answer, and why the others rest."
      actions={<ProviderAdd onAdd={() => show({ add: 'true' })} />}
    >
      <ProblemPanel error={error} onRetry={look} />
      {data === undefined ? error === null && <Loading /> : <Providers known={data} onRestEnd={look} />}
      <CommandLine className="mt-8" command={commandWords(CATALOGUE_COMMANDS, 'provider list')} />
      <Declared search={search} onShow={show} />
    </Page>
  );
}

function Loading(): ReactNode {
  return (
    <Table
      label="Routes"
      columns={routeColumns(() => undefined)}
      rows={undefined}
      rowKey={({ model }) => model}
      empty={null}
    />
  );
}

interface KnownProps {
  readonly known: ProvidersJson;
  /** A rest is over by now. */
  readonly onRestEnd: () => void;
}

function Providers({ known, onRestEnd }: KnownProps): ReactNode {
  const { processes, processes_answered: answered, window_ms: windowMs, data } = known;
  const silent = processes - answered;
  if (answered === 0) {
    return (
      <EmptyState
        cause="No process of this instance has said how its routes are."
        detail="They have a second to answer. This page asks again by itself."
      />
    );
  }
  if (data.length === 0) return <NoProvider />;
  return (
    <>
      {silent > 0 && (
        <Banner tone="warn">
          {`${formatCount(silent)} of ${formatNumberOf(processes, 'process', 'processes')} did not answer within a second, so what it knows is not counted here.`}
        </Banner>
      )}
      <p className="mb-6 text-control text-text-2">
        {`Attempts are those of the last 24 hours, of all instances. The status is by the last ${formatCount(windowMs / 1000)} s${processes > 1 ? ` in ${formatNumberOf(answered, 'process', 'processes')}` : ''}. The page keeps itself up to date.`}
      </p>
      {data.map((provider) => (
        <Provider key={provider.name} provider={provider} onRestEnd={onRestEnd} />
      ))}
    </>
  );
}

function NoProvider(): ReactNode {
  return (
    <EmptyState
      cause="There is no provider."
      detail="Without one no model can be called. Add one here, or to the config file, which is read again as soon as it changes."
      action={
        <a href={paths.manual()} className={buttonClass()}>
          Read about providers
        </a>
      }
    />
  );
}

function Provider({
  provider,
  onRestEnd,
}: {
  readonly provider: ProviderJson;
  readonly onRestEnd: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const { status, word, next } = PROVIDER_WORDS[provider.state];
  return (
    <Section
      title={provider.name}
      mark={<Initials of={provider.name} />}
      lead={<Facts provider={provider} />}
      actions={
        <span className="text-control">
          <StatusWord status={status}>{word}</StatusWord>
        </span>
      }
    >
      {next !== null && <p className="mb-3 max-w-prose text-control text-pretty text-text-2">{next}</p>}
      <Table
        label={`Routes to ${provider.name}`}
        columns={routeColumns(onRestEnd)}
        rows={provider.routes}
        rowKey={({ model, position }) => `${model} ${position}`}
        href={({ model }) => paths.operatorPrices({ model })}
        onNavigate={(href) => void navigate({ href })}
        empty={<EmptyState cause="No model has a route to it." />}
      />
    </Section>
  );
}

function Facts({ provider }: { readonly provider: ProviderJson }): ReactNode {
  const { kind, attempts, concurrency_max: most, full_processes: full } = provider;
  const bound = most === null ? '' : `, at most ${formatCount(most)} in each process`;
  const isFull = full > 0 ? `; ${formatNumberOf(full, 'process has', 'processes have')} as many` : '';
  const day = daySentence(provider.day);
  return `${kind} · ${formatNumberOf(attempts, 'attempt')} under way${bound}${isFull}${day === null ? '' : ` · ${day}`}`;
}

/** The columns of a provider's routes. */
function routeColumns(onRestEnd: () => void): readonly Column<ProviderRouteJson>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true },
    {
      id: 'upstream',
      header: 'Model at the provider',
      from: 'xl',
      cell: ({ upstream_model: upstream }) => (
        <code className="block w-48 truncate font-mono text-meta text-text-2">{upstream}</code>
      ),
    },
    { id: 'state', header: 'Status', cell: (route) => <RouteState route={route} onRestEnd={onRestEnd} /> },
    ...DAY_COLUMNS,
  ];
}

interface RouteStateProps {
  readonly route: ProviderRouteJson;
  readonly onRestEnd: () => void;
}

/** The state, and below it why it is so. */
function RouteState({ route, onRestEnd }: RouteStateProps): ReactNode {
  const { state, processes, on_sale: isOnSale } = route;
  const { status, word } = ROUTE_WORDS[state];
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const where = processes[state] === all ? '' : ` in ${formatCount(processes[state])} of ${formatCount(all)} processes`;
  return (
    <span className="flex w-56 flex-col py-1.5 whitespace-normal max-sm:w-auto max-sm:items-end">
      <StatusWord status={status}>{`${word}${where}${isOnSale ? '' : ', not on sale'}`}</StatusWord>
      <Why route={route} onRestEnd={onRestEnd} />
    </span>
  );
}

function Why({ route: { state, rest }, onRestEnd }: RouteStateProps): ReactNode {
  const because = rest === null ? (UNANSWERED_WORDS[state] ?? null) : CAUSE_WORDS[rest.cause];
  if (because === null) return null;
  return (
    <span className="text-meta text-text-2">
      {because}
      {rest !== null && (
        <>
          {` (${rest.status ?? rest.fault}). Tried again in `}
          <Countdown key={rest.until} until={rest.until} onEnd={onRestEnd} />
        </>
      )}
    </span>
  );
}
