import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { paymentSettingsQuery } from '../api/credit.ts';
import {
  closeWorkspace,
  changeWorkspace,
  resumeWorkspace,
  suspendWorkspace,
  workspaceQuery,
} from '../api/workspaces.ts';
import { CommandLine } from '../components/command-line.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { formatMoney } from '../format/money.ts';
import { SettingChange } from './setting-change.tsx';
import { WORKSPACE_SETTINGS } from '../../../src/control/resources/workspace-settings.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Money } from '../ui/money.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { SendButton } from './send-button.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { WORKSPACE_COMMANDS } from '../../../src/control/operations/workspace-commands.ts';

interface WorkspaceActionProps {
  readonly workspace: WorkspaceJson;
}

const reloadWorkspace = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace] });

/** Has the requests of all its keys refused, until it is resumed. */
export function WorkspaceSuspend({ workspace: { id, name } }: WorkspaceActionProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(id, 'workspace:suspend', 'suspend a workspace')}
      >
        Suspend workspace
      </Button>
      {isOpen && (
        <ResourceForm
          frame={Dialog}
          title={`Suspend ${name}?`}
          description="Requests of all its keys are refused within a second, until it is resumed. Its members still read everything."
          onClose={() => setIsOpen(false)}
          dirty={reason !== ''}
          action="Suspend workspace"
          kind="danger"
          command={commandWords(WORKSPACE_COMMANDS, 'workspace suspend', { workspace: id, reason: reason.trim() })}
          send={() => suspendWorkspace(id, { reason: reason.trim() })}
          done={() => `${name} is suspended. Its keys are refused.`}
          reload={reloadWorkspace(id)}
        >
          <TextField
            param="reason"
            label="Reason"
            help="Callers and members are shown it."
            value={reason}
            onChange={setReason}
            maxLength={500}
          />
        </ResourceForm>
      )}
    </>
  );
}

/** Serves a suspended workspace again. */
export function WorkspaceResume({ workspace: { id, name, suspended_by: by } }: WorkspaceActionProps): ReactNode {
  const { is_operator: isOperator } = useMe().user;
  const isOthers = by === 'operator' && !isOperator;
  const unavailable = useUnavailable(id, 'workspace:suspend', 'resume a workspace');
  return (
    <SendButton
      unavailable={
        isOthers ? 'Only operators of this instance can resume what one of them has suspended.' : unavailable
      }
      send={() => resumeWorkspace(id)}
      done={() => `${name} is resumed. Its keys work again.`}
      reload={reloadWorkspace(id)}
    >
      Resume workspace
    </SendButton>
  );
}

/** Closes the workspace for good by its typed name. */
export function WorkspaceClose({ workspace }: WorkspaceActionProps): ReactNode {
  const { id, name } = workspace;
  return (
    <ConfirmAction
      kind="danger"
      action="Close workspace"
      unavailable={useUnavailable(id, 'workspace:close', 'close this workspace')}
      title={`Close ${name} for good?`}
      typedName={name}
      command={commandWords(WORKSPACE_COMMANDS, 'workspace close', { workspace: id })}
      send={() => closeWorkspace(workspace)}
      done={() => `${name} is closed. Its keys are refused.`}
      reload={(queries) =>
        Promise.all([['workspace', id], ['me']].map((queryKey) => queries.invalidateQueries({ queryKey })))
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        <li>All its keys are refused from now on. Nobody can undo that.</li>
        <li>Requests that run are still served and charged.</li>
        <RestOfCredit workspace={workspace} />
      </ul>
    </ConfirmAction>
  );
}

/** What becomes of the credit that is left. */
function RestOfCredit({ workspace: { id, balance_nano_usd: balance } }: WorkspaceActionProps): ReactNode {
  const paid = useQuery(paymentSettingsQuery(id)).data?.paid_nano_usd;
  const parts = paid === undefined ? null : partsOf(BigInt(balance), BigInt(paid));
  return (
    <li>
      What is left after them is taken out, <Money exact amount={balance} className="font-medium text-text" /> as of now
      {parts === null ? (
        '.'
      ) : (
        <>
          : <Money exact amount={parts.refunded} className="font-medium text-text" /> that was paid is refunded, and{' '}
          <Money exact amount={parts.lapsed} className="font-medium text-text" /> that was granted lapses.
        </>
      )}
    </li>
  );
}

/** What of a balance goes back when its workspace is closed, as far as it was paid, and what lapses. */
export function partsOf(balance: bigint, paid: bigint): { readonly refunded: bigint; readonly lapsed: bigint } {
  const left = balance < 0n ? 0n : balance;
  const refunded = paid < left ? paid : left;
  return { refunded, lapsed: left - refunded };
}

/** Changes the limit of those who become members. */
export function WorkspaceMemberLimit({ workspace }: WorkspaceActionProps): ReactNode {
  const queries = useQueryClient();
  return (
    <SettingChange
      kind="workspace"
      action="Change limit of new members"
      table={NEW_MEMBERS}
      property="memberMonthlyLimit"
      thing={workspace}
      unavailable={useUnavailable(workspace.id, 'workspace:write', 'change limits of new members')}
      commandOf={(changes) =>
        commandWords(WORKSPACE_COMMANDS, 'workspace update', { workspace: workspace.id, ...changes })
      }
      save={changeWorkspace}
      load={() => queries.query({ ...workspaceQuery(workspace.id), staleTime: 0 })}
      done={({ member_monthly_limit_nano_usd: limit }) =>
        limit === null ? 'New members have no limit.' : `Who joins from now on may spend ${formatMoney(limit)} a month.`
      }
      reload={['workspace', workspace.id]}
    />
  );
}

const { memberMonthlyLimit, billingName, billingAddress, billingTaxId } = WORKSPACE_SETTINGS;
const NEW_MEMBERS = { memberMonthlyLimit };
const BILLING = { billingName, billingAddress, billingTaxId };

/** Changes to whom statements are addressed. */
export function WorkspaceBilling({ workspace }: WorkspaceActionProps): ReactNode {
  const queries = useQueryClient();
  return (
    <SettingChange
      kind="workspace"
      action="Change billing details"
      table={BILLING}
      property="billingName"
      further={['billingAddress', 'billingTaxId']}
      thing={workspace}
      unavailable={useUnavailable(workspace.id, 'workspace:write', 'change billing details')}
      commandOf={(changes) =>
        commandWords(WORKSPACE_COMMANDS, 'workspace update', { workspace: workspace.id, ...changes })
      }
      save={changeWorkspace}
      load={() => queries.query({ ...workspaceQuery(workspace.id), staleTime: 0 })}
      done={({ name, billing_name: billing }) => `Statements are addressed to ${billing ?? name}.`}
      reload={['workspace', workspace.id]}
    />
  );
}

/** Gives the workspace another name. */
export function WorkspaceRename({ workspace }: WorkspaceActionProps): ReactNode {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(workspace);
  const [name, setName] = useState(workspace.name);
  const unavailable = useUnavailable(workspace.id, 'workspace:write', 'rename this workspace');
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => changeWorkspace(seen, { name: name.trim() }),
    onSuccess: (renamed) => {
      setSeen(renamed);
      setName(renamed.name);
      showToast(`The workspace is named ${renamed.name} now.`);
      // The form stays: it takes the next name while others are still reading this one.
      void queries.invalidateQueries({ queryKey: ['workspace', workspace.id] });
      void queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const isChanged = name.trim() !== seen.name;
  const rebase = async (): Promise<void> => {
    setSeen(await queries.query({ ...workspaceQuery(workspace.id), staleTime: 0 }));
    reset();
  };
  return (
    <InlineForm
      className="flex max-w-lg flex-col gap-4"
      error={error}
      onSubmit={() => isChanged && unavailable === null && mutate()}
    >
      <TextField
        param="name"
        label="Name"
        help="Members and the operator see it. Keys and commands that use the id are not affected."
        value={name}
        onChange={setName}
        maxLength={100}
        readOnly={unavailable !== null}
      />
      {isVersionConflict(error) ? <VersionConflict thing="workspace" onLoad={rebase} /> : <FormProblem />}
      <div>
        <Button
          type="submit"
          busy={isPending}
          unavailable={unavailable ?? (isChanged ? null : 'The name is unchanged.')}
        >
          Rename workspace
        </Button>
      </div>
      {isChanged && (
        <CommandLine
          command={commandWords(WORKSPACE_COMMANDS, 'workspace rename', { workspace: workspace.id, name: name.trim() })}
        />
      )}
    </InlineForm>
  );
}
