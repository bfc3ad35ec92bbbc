import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditExportUrl, auditQuery } from '../../api/audit.ts';
import { auditCommand } from '../../components/audit-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AuditEventSheet } from './audit-event-sheet.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditFilterOf } from './audit-search.ts';

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
      <Table
        label="Changes"
        columns={AUDIT_COLUMNS}
        rows={events.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => paths.audit(workspace, { ...search, event: id })}
        onNavigate={(href) => void navigate({ href })}
        selectedKey={event}
        moveByKeys
        loading={events.isPlaceholderData}
        error={problemFrom(events.error)}
        onRetry={() => void events.refetch()}
        empty={
          <EmptyState
            cause={isFiltered ? 'No change matches these filters.' : 'Nothing was changed yet.'}
            detail="Changes are recorded in the moment in which they are made."
          />
        }
      />
      <LoadMore list={events} />
      <div className="mt-6 flex flex-col gap-3">
        <CommandLine command={auditCommand.list(workspace, filter)} />
        <CommandLine command={auditCommand.export(workspace, filter)} />
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
