import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyJson, ProjectJson } from '../../../../src/admin/account-contract.ts';
import { projectKeysQuery } from '../../api/projects.ts';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const COLUMNS: readonly Column<KeyJson>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
  { id: 'key', header: 'Key', cell: ({ masked_key: key }) => <code className="font-mono">{key}</code>, from: 'md' },
  { id: 'state', header: 'State', cell: (key) => <State apiKey={key} /> },
  {
    id: 'spent',
    header: 'Spent of limit',
    cell: ({ name, used_nano_usd: used, held_nano_usd: held, spend_limit_nano_usd: limit }) => (
      <Meter compact label={`Limit of ${name}`} spent={used} held={held} limit={limit} />
    ),
  },
  { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => <Timestamp at={at} />, from: 'lg' },
];

function State({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const [nowMs] = useState(() => Date.now());
  if (apiKey.revoked_at !== null) return <StatusWord status="closed">revoked</StatusWord>;
  if (apiKey.disabled_at !== null) return <StatusWord status="off">disabled</StatusWord>;
  if (apiKey.expires_at !== null && Date.parse(apiKey.expires_at) <= nowMs) {
    return <StatusWord status="off">expired</StatusWord>;
  }
  return <StatusWord status="open">works</StatusWord>;
}

/** The first keys of a project. */
export function ProjectKeys({ project }: { readonly project: ProjectJson }): ReactNode {
  const { workspace_id: workspace, id } = project;
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const keys = useQuery({ ...projectKeysQuery(workspace, id), enabled: hidden === null });
  return (
    <Section
      title="Keys"
      actions={
        hidden === null && (
          <a href={paths.keys(workspace, { project: id })} className="text-control underline underline-offset-2">
            All keys
          </a>
        )
      }
    >
      {hidden === null ? (
        <Table
          label={`Keys of ${project.name}`}
          columns={COLUMNS}
          rows={keys.data?.data}
          rowKey={(key) => key.id}
          href={(key) => paths.key(workspace, key.id)}
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
