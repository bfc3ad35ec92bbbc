import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { exportFile, type ExportKind, EXPORTS } from '../../api/ledger.ts';
import { workspacesQuery } from '../../api/workspaces.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { LEDGER_COMMANDS } from '../../../../src/control/operations/ledger-commands.ts';
import { rowsOf } from '../../components/list-table.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { addDays, dayOf, startOf } from '../../format/day.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useHour } from '../../ui/use-hour.ts';
import { useSettled } from '../../ui/use-settled.ts';

const KINDS: Readonly<Record<ExportKind, { readonly label: string; readonly help: string }>> = {
  receipts: { label: 'Receipts', help: 'One line for each request that reached a provider.' },
  entries: { label: 'Entries', help: 'The double-entry lines of every posting.' },
  usage: { label: 'Usage', help: 'What was used, by day and model, with costs and margins.' },
};

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'ndjson', label: 'Lines of JSON' },
] as const;

/** Downloads the records of a workspace. */
export function LedgerExport(): ReactNode {
  const names = useId();
  const today = dayOf(new Date(useHour()));
  const [typed, setTyped] = useState('');
  const [what, setWhat] = useState<ExportKind>('receipts');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [format, setFormat] = useState<(typeof FORMATS)[number]['value']>('csv');
  const name = typed.trim();
  const search = useSettled(name);
  const found = useInfiniteQuery(workspacesQuery({ search, state: null, sort: 'name', descending: false }));
  const workspaces = rowsOf(found) ?? [];
  const workspace = workspaces.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const to = until === '' ? '' : addDays(until, 1);
  const bounds = {
    ...(from === '' ? {} : { from: startOf(from).toISOString() }),
    ...(to === '' ? {} : { to: startOf(to).toISOString() }),
  };
  return (
    <div className="flex max-w-160 flex-col gap-4">
      <p className="text-control text-text-2">Amounts are exact, to the nano-dollar, and add up to the ledger.</p>
      <Field
        label="Workspace"
        error={name !== '' && search === name && found.isSuccess && workspace === undefined ? NO_WORKSPACE : null}
      >
        <TextInput value={typed} onChange={setTyped} list={names} autoComplete="off" placeholder="Its name" />
      </Field>
      <datalist id={names}>
        {workspaces.map(({ id, name: each }) => (
          <option key={id}>{each}</option>
        ))}
      </datalist>
      <ProblemPanel error={found.error} onRetry={() => void found.refetch()} />
      <RadioGroup
        label="Records"
        options={EXPORTS.map((value) => ({ value, ...KINDS[value] }))}
        value={what}
        onChange={setWhat}
      />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Field label="First day (UTC)" optional>
          <DateInput value={from} max={today} onChange={setFrom} />
        </Field>
        <Field label="Last day (UTC)" optional>
          <DateInput value={until} max={today} onChange={setUntil} />
        </Field>
      </div>
      <RadioGroup label="Format" options={FORMATS} value={format} onChange={setFormat} inline />
      <div>
        {workspace === undefined ? (
          <Button kind="primary" unavailable="Choose a workspace first.">
            Download export
          </Button>
        ) : (
          <a href={exportFile(workspace.id, { what, ...bounds, format })} download className={buttonClass('primary')}>
            Download export
          </a>
        )}
      </div>
      <CommandLine
        command={[
          ...commandWords(LEDGER_COMMANDS, 'ledger export', { what, workspace: name, from, to }),
          ...(format === 'ndjson' ? ['--json'] : []),
        ]}
      />
    </div>
  );
}

const NO_WORKSPACE = 'No workspace has this name. Choose one of the list.';
