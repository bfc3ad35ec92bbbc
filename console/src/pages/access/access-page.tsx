import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccessJson, DomainJson } from '../../../../src/control/admin/identity/access-contract.ts';
import { ACCESS_SETTINGS } from '../../../../src/control/resources/access-settings.ts';
import { accessQuery, domainsQuery } from '../../api/workspace-access.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { ConditionsChange, ProviderChange } from '../../forms/access-forms.tsx';
import { DomainActions, DomainAdd } from '../../forms/domain-actions.tsx';
import { useUnavailable } from '../../session/access.ts';
import { actionsColumn, statusColumn } from '../../ui/columns.tsx';
import { Copied } from '../../ui/copied.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';
import { DirectorySection } from './directory-section.tsx';

const route = getRouteApi('/in/workspaces/$workspace/access');

/** How the people of a workspace sign in, and from where it may be used. */
export function AccessPage(): ReactNode {
  const { workspace } = route.useParams();
  const hidden = useUnavailable(workspace, 'access:read', 'see how a workspace is accessed');
  return (
    <Page title="Access" answers="How people of this workspace sign in, what they need, and from where it is used.">
      {hidden === null ? <Access workspace={workspace} /> : <EmptyState cause={hidden} />}
    </Page>
  );
}

function Access({ workspace }: { readonly workspace: string }): ReactNode {
  const query = useQuery(accessQuery(workspace));
  return (
    <Loaded query={query}>
      {(access) => (
        <>
          <SignOn workspace={workspace} access={access} />
          <Domains workspace={workspace} />
          <DirectorySection workspace={workspace} />
          <Conditions workspace={workspace} access={access} />
        </>
      )}
    </Loaded>
  );
}

interface AccessProps {
  readonly workspace: string;
  readonly access: AccessJson;
}

function SignOn({ workspace, access }: AccessProps): ReactNode {
  const { issuer, client_id: clientId, callback_url: callback, only_openid: isOnly } = access;
  const groups = Object.entries(access.group_roles);
  const facts = [
    { term: 'Issuer', value: issuer },
    { term: 'Client id', value: clientId },
    { term: 'Client secret', value: access.has_client_secret ? 'Set' : 'None' },
    {
      term: 'Roles of groups',
      value:
        groups.length === 0 ? 'None: given by hand' : groups.map(([group, role]) => `${group}: ${role}`).join(', '),
    },
    { term: 'Everybody else', value: ACCESS_SETTINGS.defaultRole.words[access.default_role] },
    { term: 'Password sign-in', value: isOnly ? 'Refused for people of your domains' : 'Allowed' },
  ];
  return (
    <Section
      title="Single sign-on"
      lead="People with an address of your domains sign in at the OpenID provider of your company."
      actions={<ProviderChange workspace={workspace} access={access} />}
    >
      <DefinitionList
        items={[
          ...(issuer === null ? [{ term: 'Provider', value: 'None yet' }] : facts),
          { term: 'Redirect address', value: <Copied text={callback} label="Copy redirect address" /> },
        ]}
      />
    </Section>
  );
}

function Conditions({ workspace, access }: AccessProps): ReactNode {
  return (
    <Section
      title="Conditions"
      lead="What members need, and from where the workspace and its keys are used."
      actions={<ConditionsChange workspace={workspace} access={access} />}
    >
      <DefinitionList
        items={[
          { term: 'Second factor', value: access.second_factor ? 'Needed by members' : 'Left to members' },
          {
            term: 'Keys of people who leave',
            value: access.ends_leavers_keys ? 'End when your directory says so' : 'Stay',
          },
          { term: 'Used from', value: access.allowed_networks?.join(', ') ?? 'Anywhere' },
        ]}
      />
    </Section>
  );
}

function Domains({ workspace }: { readonly workspace: string }): ReactNode {
  const query = useQuery(domainsQuery(workspace));
  const columns: readonly Column<DomainJson>[] = [
    { id: 'domain', header: 'Domain', cell: ({ domain }) => domain },
    statusColumn(({ proven_at: at, proven_by: by }) =>
      at === null ? ['waiting', 'not proven'] : ['open', by === 'dns' ? 'proven by DNS' : 'approved by the operator'],
    ),
    { id: 'record', header: 'TXT record that proves it', grow: true, cell: recordOf },
    actionsColumn((domain) => <DomainActions workspace={workspace} domain={domain} />),
  ];
  return (
    <Section title="Domains" lead="What stands behind the “@” of your people. A domain counts once it is proven.">
      <div className="flex flex-col gap-4">
        <QueryTable
          query={query}
          label="Domains"
          columns={columns}
          rows={query.data?.data}
          rowKey={({ domain }) => domain}
          expectedRows={1}
          empty={<EmptyState cause="No domain yet: nobody signs in at your provider." />}
        />
        <DomainAdd workspace={workspace} />
      </div>
    </Section>
  );
}

function recordOf({ domain, proven_at: at, record_name: name, record_value: value }: DomainJson): ReactNode {
  if (at !== null) return null;
  return (
    <span className="flex flex-col">
      <Copied text={name} label={`Copy the name of the record of ${domain}`} />
      <Copied text={value} label={`Copy the content of the record of ${domain}`} />
    </span>
  );
}
