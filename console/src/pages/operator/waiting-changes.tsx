import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CatalogueChangeJson } from '../../../../src/control/admin/contract.ts';
import { catalogueDiffQuery } from '../../api/catalogue.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { formatNumberOf } from '../../format/count.ts';
import { CatalogueApply } from '../../forms/catalogue-apply.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';

interface WaitingChangesProps {
  readonly isApplying: boolean;
  readonly onApply: (isApplying: boolean) => void;
}

const CHANGE_WORDS: Readonly<Record<CatalogueChangeJson['change'], string>> = {
  add: 'goes on sale',
  update: 'changes',
  retire: 'goes off sale',
  cost: 'costs change',
};

/** One field of a change, as a row. */
interface FieldRow {
  readonly key: string;
  readonly change: CatalogueChangeJson;
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

const COLUMNS: readonly Column<FieldRow>[] = [
  { id: 'model', header: 'Model', cell: ({ change }) => change.model },
  { id: 'change', header: 'Change', cell: ({ change }) => CHANGE_WORDS[change.change], from: 'md' },
  { id: 'field', header: 'Field', cell: ({ field }) => <code className="font-mono text-meta">{field}</code> },
  { id: 'from', header: 'Now', align: 'end', cell: ({ from }) => <Side text={from} /> },
  { id: 'to', header: 'Then', align: 'end', cell: ({ to }) => <Side text={to} /> },
  {
    id: 'accept',
    header: 'Approval',
    cell: ({ change: { needs_accept: isNeeded } }) => (isNeeded ? 'needed' : <span className="text-text-3">none</span>),
  },
];

/** What the config file says and is not on sale yet; nothing is shown if there is none of it. */
export function WaitingChanges({ isApplying, onApply }: WaitingChangesProps): ReactNode {
  const { data, error, refetch } = useQuery(catalogueDiffQuery);
  if (data === undefined) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  const { changes } = data;
  if (changes.length === 0) return null;
  const waiting = changes.filter(({ needs_accept: isNeeded }) => isNeeded).length;
  return (
    <Section
      title="Waiting changes"
      lead="What the config file says and callers do not pay yet. Rates are in USD for a million tokens."
      actions={
        <Button kind="primary" onClick={() => onApply(true)}>
          Review and apply
        </Button>
      }
    >
      {waiting > 0 && (
        <Banner tone="warn">
          {`${formatNumberOf(waiting, 'model')} ${waiting === 1 ? 'waits' : 'wait'} for your approval: `}a price moves
          more than tenfold, or most models would go off sale. Until then they are sold as they are.
        </Banner>
      )}
      <Table
        label="Waiting changes"
        columns={COLUMNS}
        rows={changes.flatMap(rowsOf)}
        rowKey={({ key }) => key}
        empty={null}
      />
      {isApplying && <CatalogueApply changes={changes} onClose={() => onApply(false)} />}
    </Section>
  );
}

function rowsOf(change: CatalogueChangeJson): readonly FieldRow[] {
  const fields = change.fields.length > 0 ? change.fields : [{ field: 'on sale', from: 'yes', to: 'no' }];
  return fields.map((field) => ({ key: `${change.model} ${change.change} ${field.field}`, change, ...field }));
}

function Side({ text }: { readonly text: string | null }): ReactNode {
  return text ?? <span className="text-text-3">none</span>;
}
