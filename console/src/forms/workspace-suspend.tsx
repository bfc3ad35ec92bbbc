import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { problemOf } from '../api/api-error.ts';
import { resumeWorkspace, suspendWorkspace } from '../api/workspaces.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { workspaceCommand } from '../components/workspace-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { FormFrame } from './form-frame.tsx';

interface WorkspaceSuspendProps {
  readonly workspace: WorkspaceJson;
}

/** Has the requests of all its keys refused, until an operator resumes it. */
export function WorkspaceSuspend({ workspace: { id, name } }: WorkspaceSuspendProps): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => suspendWorkspace(id, { reason: reason.trim() }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`${name} is suspended. Its keys are refused.`);
      await queries.invalidateQueries({ queryKey: ['workspace', id] });
    },
  });
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(id, 'workspace:suspend', 'suspend a workspace')}
      >
        Suspend workspace
      </Button>
      {isOpen && (
        <FormFrame
          frame={Dialog}
          title={`Suspend ${name}?`}
          description="Requests of all its keys are refused within a second, until an operator resumes it. Its members still read everything."
          onClose={() => setIsOpen(false)}
          dirty={reason !== ''}
          action="Suspend workspace"
          kind="danger"
          busy={isPending}
          onSubmit={() => mutate()}
        >
          <Field label="Reason" help="Callers and members are shown it." error={problemOf(error, 'reason')}>
            <TextInput value={reason} onChange={setReason} required maxLength={500} autoComplete="off" />
          </Field>
          <ProblemPanel error={error} except={['reason']} />
          <CommandLine command={workspaceCommand.suspend(id, reason.trim())} />
        </FormFrame>
      )}
    </>
  );
}

/** Serves a suspended workspace again. */
export function WorkspaceResume({ workspace: { id, name } }: WorkspaceSuspendProps): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => resumeWorkspace(id),
    onSuccess: async () => {
      showToast(`${name} is resumed. Its keys work again.`);
      await queries.invalidateQueries({ queryKey: ['workspace', id] });
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  return (
    <Button
      busy={isPending}
      onClick={() => mutate()}
      unavailable={useUnavailable(id, 'workspace:suspend', 'resume a workspace')}
    >
      Resume workspace
    </Button>
  );
}
