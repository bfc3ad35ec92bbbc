import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CreatedKeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { createKey, reloadKeys } from '../api/keys.ts';
import { useOnce } from '../api/once.ts';
import { projectChoicesQuery } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { KeySecret } from '../components/key-secret.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../paths.ts';
import { showToast } from '../ui/announcements.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { FormFrame } from './form-frame.tsx';
import { KeyFields } from './key-fields.tsx';
import { entryOf, paramsOf, settingsOf } from './setting-entry.ts';

interface KeyCreateProps {
  readonly workspace: string;
  /** The project to begin with; null: none in particular. */
  readonly project: string | null;
  readonly onClose: () => void;
}

/** Creates a key, and shows its secret once. */
export function KeyCreate({ workspace, project, onClose }: KeyCreateProps): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const { data: projects } = useQuery(projectChoicesQuery(workspace, project));
  const [entry, setEntry] = useState(() => entryOf(KEY_SETTINGS, null));
  const [chosen, setChosen] = useState<string | null>(project);
  const [created, setCreated] = useState<CreatedKeyJson | null>(null);
  const only = projects?.length === 1 ? projects[0] : undefined;
  const target = chosen ?? only?.id ?? '';
  const settings = settingsOf(KEY_SETTINGS, entry);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createKey(workspace, target, { ...settings, once }),
    // The secret stays in no cache.
    gcTime: 0,
    onSuccess: async (answer) => {
      if (answer.key === null) {
        showToast(`Key ${answer.name} was created, but the answer with its secret was lost. Rotate it to get another.`);
        onClose();
      } else {
        setCreated(answer);
      }
      await reloadKeys(queries, workspace);
    },
  });
  if (created !== null) {
    const words = [`Key ${created.name} is created.`, ...created.warnings].join(' ');
    return <KeySecret apiKey={created} title={words} onSaved={onClose} />;
  }
  return (
    <FormFrame
      frame={Sheet}
      title="Create key"
      description="Your programs call models with it. Its secret is shown once, when it is created."
      onClose={onClose}
      dirty={JSON.stringify(entry) !== JSON.stringify(entryOf(KEY_SETTINGS, null))}
      action="Create key"
      busy={isPending}
      unavailable={projects?.length === 0 ? 'Create a project first.' : null}
      onSubmit={() => mutate()}
    >
      {projects?.length === 0 ? (
        <EmptyState
          cause="A key belongs to a project, and there is none yet."
          action={
            <a href={paths.projects(workspace, { create: true })} className={buttonClass('primary')}>
              Create project
            </a>
          }
        />
      ) : (
        <>
          <KeyFields entry={entry} onChange={setEntry} error={error}>
            <Field label="Project" help="It shares the project's budget and limits.">
              <Select
                value={target}
                onChange={setChosen}
                required
                options={[
                  ...(target === '' ? [{ value: '', label: 'Choose a project' }] : []),
                  ...(projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            </Field>
          </KeyFields>
          <ProblemPanel error={error} except={paramsOf(KEY_SETTINGS)} />
          <CommandLine command={keyCommand.create(target, settings)} />
        </>
      )}
    </FormFrame>
  );
}
