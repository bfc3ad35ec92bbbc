import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EndUserJson, ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { endUsersQuery } from '../../api/end-users.ts';
import { ListTable } from '../../components/list-table.tsx';
import { limitNow } from '../../components/raised-limit.tsx';
import { EndUserFind, EndUserLimit, EndUserRemove } from '../../forms/end-user-forms.tsx';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, nameColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';

interface ProjectEndUsersProps {
  readonly project: ProjectJson;
  /** Why limits can't be changed; null if they can. */
  readonly unavailable: string | null;
}

/** The end users of a project who have limits of their own, and a search for the limit of any end user by name. */
export function ProjectEndUsers({ project, unavailable }: ProjectEndUsersProps): ReactNode {
  const list = useInfiniteQuery(endUsersQuery(project.workspace_id, project.id));
  const [changed, setChanged] = useState<EndUserJson | 'new' | null>(null);
  return (
    <Section
      title="End users"
      lead="Those with a limit of their own. It holds in the place of the limit of each end user."
      actions={
        <Button unavailable={unavailable} onClick={() => setChanged('new')}>
          Limit an end user
        </Button>
      }
    >
      <ListTable
        list={list}
        label={`End users of ${project.name}`}
        columns={columnsFor(project, unavailable, setChanged)}
        expectedRows={1}
        empty={<EmptyState cause="No end user has a limit of their own." />}
      />
      <EndUserFind project={project} render={(endUser) => <Used endUser={endUser} />} />
      {changed !== null && (
        <EndUserLimit project={project} endUser={changed === 'new' ? null : changed} onClose={() => setChanged(null)} />
      )}
    </Section>
  );
}

function Used({ endUser }: { readonly endUser: EndUserJson }): ReactNode {
  return (
    <Meter
      label={`Limit of ${endUser.name}`}
      spent={endUser.used_nano_usd}
      held={endUser.held_nano_usd}
      limit={limitNow(endUser.limit_nano_usd, endUser)}
      compact
    />
  );
}

function columnsFor(
  project: ProjectJson,
  unavailable: string | null,
  onChange: (endUser: EndUserJson) => void,
): readonly Column<EndUserJson>[] {
  return [
    nameColumn('name', 'End user', ({ name }) => name),
    { id: 'used', header: 'Used of limit', cell: (endUser) => <Used endUser={endUser} />, grow: true },
    actionsColumn((endUser) => (
      <span className="inline-flex">
        <Button
          kind="quiet"
          aria-label={`Change the limit of ${endUser.name}`}
          unavailable={unavailable}
          onClick={() => onChange(endUser)}
        >
          Change
        </Button>
        <EndUserRemove project={project} endUser={endUser} unavailable={unavailable} />
      </span>
    )),
  ];
}
