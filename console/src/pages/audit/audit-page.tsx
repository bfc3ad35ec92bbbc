import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEventJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { AUDIT_ACTIONS } from '../../../../src/domain/audit-actions.ts';
import { auditExportUrl, auditQuery } from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { actionWords } from '../../components/audit-words.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Cut } from '../../ui/cut.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelects } from '../../ui/filter-select.tsx';
import type { Option } from '../../ui/select.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { AuditEventSheet } from './audit-event-sheet.tsx';
import { auditFilterOf, type AuditSearch } from './audit-search.ts';
import { commandWords } from '../../components/command-words.ts';
import { AUDIT_COMMANDS } from '../../../../src/control/operations/access-commands.ts';

const route = getRouteApi('/in/workspaces/$workspace/audit');

export function AuditPage(): ReactNode {
  const { workspace } = route.useParams();
  const hidden = useUnavailable(workspace, 'audit:read', 'see who changed what');
  if (hidden === null) return <Audit workspace={workspace} />;
  return (
    <Page title="Audit" answers="Who changed what in this workspace.">
      <EmptyState cause={hidden} />
    </Page>
  );
}

function Audit({ workspace }: { readonly workspace: string }): ReactNode {
  const { event, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = auditFilterOf(search);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const events = useInfiniteQuery(auditQuery(workspace, filter));
  return (
    <Page
      title="Audit"
      answers="Who changed what in this workspace. Nothing here can be changed or removed."
      actions={
        <>
          <a href={auditExportUrl(workspace, filter, 'csv')} download="audit.csv" className={buttonClass()}>
            Download CSV
          </a>
          <a href={auditExportUrl(workspace, filter, 'ndjson')} download="audit.ndjson" className={buttonClass()}>
            Download JSON lines
          </a>
        </>
      }
    >
      <AuditFilters
        workspace={workspace}
        search={search}
        onChange={(changed) => void navigate({ search: (former) => ({ ...former, ...changed }), replace: true })}
        onClear={isFiltered ? () => void navigate({ search: {} }) : null}
      />
      <ListTable
        list={events}
        label="Changes"
        columns={AUDIT_COLUMNS}
        href={({ id }) => paths.audit(workspace, { ...search, event: id })}
        selectedKey={event}
        moveByKeys
        empty={
          <EmptyState
            cause={isFiltered ? 'No change matches these filters.' : 'Nothing was changed yet.'}
            detail="Changes are recorded in the moment in which they are made."
          />
        }
      />
      <div className="mt-6 flex flex-col gap-3">
        <CommandLine command={commandWords(AUDIT_COMMANDS, 'audit list', { workspace, ...filter })} />
        <CommandLine command={commandWords(AUDIT_COMMANDS, 'audit export', { workspace, ...filter })} />
      </div>
      {event !== undefined && (
        <AuditEventSheet
          workspace={workspace}
          event={event}
          onClose={() => void navigate({ search: (former) => ({ ...former, event: undefined }), replace: true })}
        />
      )}
    </Page>
  );
}

interface AuditFiltersProps {
  readonly workspace: string;
  readonly search: AuditSearch;
  readonly onChange: (changed: AuditSearch) => void;
  readonly onClear: (() => void) | null;
}

const ACTIONS: readonly Option[] = AUDIT_ACTIONS.map((action) => ({
  value: action,
  label: actionWords(action),
  group: action.slice(0, action.indexOf('.')).replaceAll('_', ' '),
}));

function AuditFilters({ workspace, search, onChange, onClear }: AuditFiltersProps): ReactNode {
  const members = useInfiniteQuery(membersQuery(workspace)).data?.pages.flatMap(({ data }) => data) ?? [];
  const { target, user, from = '', to = '' } = search;
  const known = members.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = user === undefined || members.some(({ id }) => id === user);
  const users = isListed ? known : [...known, { value: user, label: 'A former member' }];
  return (
    <FilterBar label="Filter changes" onClear={onClear}>
      <FilterSelects
        search={search}
        onChange={onChange}
        filters={[
          { name: 'action', label: 'Change', all: 'Any change', className: 'w-48', options: ACTIONS },
          { name: 'user', label: 'By', all: 'By anybody', className: 'w-48', options: users },
        ]}
      />
      <span
        data-whole-line
        className="flex items-center gap-2 text-control text-text-2 max-sm:grid max-sm:grid-cols-[auto_1fr]"
      >
        from
        <DateInput
          aria-label="From day, UTC"
          value={from}
          max={to === '' ? undefined : to}
          onChange={(day) => onChange({ from: day || undefined })}
        />
        to
        <DateInput
          aria-label="To day, UTC"
          value={to}
          min={from === '' ? undefined : from}
          onChange={(day) => onChange({ to: day || undefined })}
        />
      </span>
      {target !== undefined && (
        <Chip onRemove={() => onChange({ target: undefined })} removeLabel="Show changes to everything">
          one thing: <code className="font-mono">{target}</code>
        </Chip>
      )}
    </FilterBar>
  );
}

const AUDIT_COLUMNS: readonly Column<AuditEventJson>[] = [
  { id: 'action', header: 'Change', cell: ({ action }) => actionWords(action) },
  { id: 'target', header: 'What was changed', cell: ({ target: { name, id } }) => name ?? id, grow: true },
  { id: 'actor', header: 'By', cell: ({ actor }) => <Cut>{actor.name}</Cut> },
  { id: 'address', header: 'Address', cell: ({ address }) => address ?? 'none', from: 'lg' },
  { id: 'at', header: 'When', align: 'end', cell: ({ at }) => <Timestamp at={at} /> },
];
