import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SettingsJson } from '../../../../src/control/admin/contract.ts';
import { settingsQuery } from '../../api/instance.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Banner } from '../../ui/banner.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { commandWords } from '../../components/command-words.ts';
import { INSTANCE_COMMANDS } from '../../../../src/control/operations/instance-commands.ts';

type Setting = SettingsJson['settings'][number];

interface SettingsProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** The settings in force, by section, with what waits for a restart and what is wrong with the file. */
export function Settings({ search, onSearch }: SettingsProps): ReactNode {
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <>
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <>
          <Standing {...data} />
          <SearchInput className="mb-6 w-64 max-sm:w-full" label="Filter settings" value={search} onChange={onSearch} />
          <Sections settings={data.settings.filter((setting) => isFound(setting, search))} search={search} />
        </>
      )}
      <CommandLine className="mt-6" command={commandWords(INSTANCE_COMMANDS, 'settings')} />
    </>
  );
}

function Loading(): ReactNode {
  return (
    <div className="flex flex-col gap-3" aria-busy="true">
      {['w-40', 'w-80', 'w-64', 'w-72'].map((width) => (
        <Skeleton key={width} className={`${width} max-w-full`} />
      ))}
    </div>
  );
}

/** Whether the file is in force as it is. */
function Standing({ file, problem, settings }: SettingsJson): ReactNode {
  const waiting = settings.filter((setting) => setting.waiting !== null).length;
  return (
    <>
      {problem !== null && (
        <Banner tone="danger">
          <p className="font-medium">The config file is not in force as it is: the former settings are.</p>
          <code className="font-mono">{problem}</code>
          <p className="text-text-2">Correct it and save: it is read again within a second or two.</p>
        </Banner>
      )}
      {waiting > 0 && (
        <Banner tone="warn">
          {waiting === 1 ? 'One setting waits' : `${waiting} settings wait`} for a restart: stop the instance and start
          it again.
        </Banner>
      )}
      <p className="mb-4 text-control wrap-anywhere text-text-2">
        {file === null ? 'There is no config file.' : <code className="font-mono">{file}</code>}
      </p>
    </>
  );
}

function Sections({ settings, search }: { readonly settings: readonly Setting[]; readonly search: string }): ReactNode {
  if (settings.length === 0) return <EmptyState cause={`No setting has "${search}" in its name or value.`} />;
  const sections = Map.groupBy(settings, ({ name }) => sectionOf(name));
  return [...sections].map(([section, among]) => (
    <Section key={section} title={section === '' ? 'general' : section}>
      <DefinitionList
        items={among.map((setting) => ({
          term: setting.name.slice(section === '' ? 0 : section.length + 1),
          value: <Value {...setting} />,
        }))}
      />
    </Section>
  ));
}

function Value({ value, origin, waiting }: Setting): ReactNode {
  return (
    <span className="inline-flex max-w-full flex-wrap items-baseline gap-x-3 gap-y-1 max-sm:justify-end">
      <code className="min-w-0 font-mono wrap-anywhere">{value}</code>
      <span className="text-meta text-text-3">{origin}</span>
      {waiting !== null && (
        <StatusWord status="waiting">
          <span className="min-w-0 wrap-anywhere">
            waits for a restart: <code className="font-mono">{waiting}</code>
          </span>
        </StatusWord>
      )}
    </span>
  );
}

/** All of the name before its last dot. */
function sectionOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

function isFound({ name, value, waiting }: Setting, search: string): boolean {
  const sought = search.trim().toLowerCase();
  return [name, value, waiting ?? ''].some((text) => text.toLowerCase().includes(sought));
}
