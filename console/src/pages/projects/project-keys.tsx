import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { keysQuery } from '../../api/keys.ts';
import { keyColumns } from '../../components/key-columns.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';

const ROWS = 10;

interface ProjectKeysProps {
  readonly project: ProjectJson;
  readonly onNavigate: (href: string) => void;
}

/** The keys of a project that have spent most this month. */
export function ProjectKeys({ project, onNavigate }: ProjectKeysProps): ReactNode {
  const { workspace_id: workspace, id } = project;
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const unavailable = useUnavailable(workspace, 'keys:write', 'create keys');
  const keys = useInfiniteQuery({
    ...keysQuery(workspace, { project: id, search: '', state: null, createdBy: null, sort: 'spend', descending: true }),
    enabled: hidden === null,
  });
  const rows = keys.data?.pages[0]?.data.slice(0, ROWS);
  const createButton = (
    <Button
      unavailable={project.archived_at === null ? unavailable : 'This project is archived. Restore it first.'}
      onClick={() => onNavigate(paths.keys(workspace, { project: id, create: true }))}
    >
      Create key
    </Button>
  );
  return (
    <Section
      title="Keys"
      lead={hidden === null ? 'Those that have spent most this month.' : undefined}
      actions={
        <>
          {hidden === null && (
            <a
              href={paths.keys(workspace, { project: id, sort: 'spend' })}
              className="text-control underline underline-offset-2"
            >
              All keys
            </a>
          )}
          {createButton}
        </>
      }
    >
      {hidden === null ? (
        <Table
          label={`Keys of ${project.name}`}
          columns={keyColumns({ withProject: false })}
          rows={rows}
          rowKey={(key) => key.id}
          href={(key) => paths.key(workspace, key.id)}
          onNavigate={onNavigate}
          error={problemFrom(keys.error)}
          onRetry={() => void keys.refetch()}
          expectedRows={3}
          empty={<EmptyState cause="This project has no key yet." />}
        />
      ) : (
        <EmptyState cause={hidden} />
      )}
    </Section>
  );
}
