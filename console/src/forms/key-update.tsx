import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useId } from 'react';
import type { KeyJson } from '../../../src/admin/account-contract.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { keyQuery, reloadKeys, updateKey } from '../api/keys.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { KEY_PARAMS, keyEntryOf, KeyFields, keySettingsOf } from './key-fields.tsx';
import { useChanges } from './use-changes.ts';

interface KeyUpdateFormProps {
  readonly apiKey: KeyJson;
  /** A limit to begin with, as a proposal. */
  readonly limit?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a key as it was when the form was opened. */
export function KeyUpdateForm({ apiKey, limit, onClose }: KeyUpdateFormProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(apiKey, {
    entryOf: keyEntryOf,
    settingsOf: keySettingsOf,
    proposed: limit === undefined ? {} : { limit },
  });
  const { workspace_id: workspace, id } = apiKey;
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => updateKey(seen, changes),
    onSuccess: async ({ name, warnings }) => {
      showToast([`Key ${name} is changed.`, ...warnings].join(' '));
      await reloadKeys(queries, workspace);
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
    else onClose();
  };
  const load = async (): Promise<void> => {
    rebase(await queries.query({ ...keyQuery(workspace, id), staleTime: 0 }));
    reset();
  };
  return (
    <Sheet
      open
      title={`Change ${apiKey.name}`}
      onClose={onClose}
      dirty={isDirty}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Change key
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <KeyFields entry={entry} onChange={setEntry} error={error} />
        {isVersionConflict(error) ? (
          <VersionConflict thing="key" onLoad={load} />
        ) : (
          <ProblemPanel error={error} except={KEY_PARAMS} />
        )}
        {isDirty && <CommandLine command={keyCommand.update(id, changes)} />}
      </form>
    </Sheet>
  );
}
