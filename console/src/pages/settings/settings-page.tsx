import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { WorkspaceStatus } from '../../components/workspace-status.tsx';
import {
  WorkspaceClose,
  WorkspaceMemberLimit,
  WorkspaceBilling,
  WorkspaceRename,
  WorkspaceResume,
  WorkspaceSuspend,
} from '../../forms/workspace-actions.tsx';
import { Copied } from '../../ui/copied.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { Sinks } from './sinks.tsx';

const route = getRouteApi('/in/workspaces/$workspace/settings');

const ANSWERS = 'What this workspace is called, where it is reached, what is delivered elsewhere, and how it ends.';

export function SettingsPage(): ReactNode {
  const { workspace: id } = route.useParams();
  const query = useQuery(workspaceQuery(id));
  return (
    <Page title="Settings" answers={ANSWERS}>
      <Loaded query={query}>{(workspace) => <LoadedSettings workspace={workspace} />}</Loaded>
    </Page>
  );
}

function LoadedSettings({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { id, state, created_at: at } = workspace;
  const isOpen = state === 'active' || state === 'suspended';
  return (
    <>
      {isOpen && (
        <Section title="General">
          <WorkspaceRename key={id} workspace={workspace} />
        </Section>
      )}
      {isOpen && (
        <Section title="New members">
          <WorkspaceMemberLimit key={id} workspace={workspace} />
        </Section>
      )}
      {isOpen && (
        <Section title="Billing details" lead="They stand on the workspace's statements.">
          <WorkspaceBilling key={id} workspace={workspace} />
        </Section>
      )}
      <Section title="About this workspace">
        <DefinitionList
          items={[
            { term: 'Status', value: <WorkspaceStatus state={state} /> },
            {
              term: 'Address of the API',
              value: <Copied text={`${window.location.origin}/v1`} label="Copy address" />,
            },
            { term: 'Id', value: <Copied text={id} label="Copy workspace id" /> },
            { term: 'Created', value: <Timestamp at={at} /> },
          ]}
        />
      </Section>
      <Sinks workspace={id} />
      {isOpen && <Danger workspace={workspace} />}
    </>
  );
}

function Danger({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  return (
    <Section title="Suspend or close">
      <div className="flex flex-col gap-6">
        <Choice
          title={workspace.state === 'suspended' ? 'Resume this workspace' : 'Suspend this workspace'}
          words="The requests of all its keys are refused for a while, for a reason that callers are shown."
        >
          {workspace.state === 'suspended' ? (
            <WorkspaceResume workspace={workspace} />
          ) : (
            <WorkspaceSuspend workspace={workspace} />
          )}
        </Choice>
        <Choice
          title="Close this workspace"
          words="Its keys stop for good, what was paid in and not spent is refunded, and credit that was granted lapses."
        >
          <WorkspaceClose workspace={workspace} />
        </Choice>
      </div>
    </Section>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly words: string;
  readonly children: ReactNode;
}

function Choice({ title, words, children }: ChoiceProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-80">
        <h3 className="text-body font-medium">{title}</h3>
        <p className="max-w-prose text-control text-text-2">{words}</p>
      </div>
      {children}
    </div>
  );
}
