import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { createKey, keyQuery, reloadKeys, updateKey } from '../api/keys.ts';
import { projectChoicesQuery } from '../api/projects.ts';
import { KeySecret } from '../components/key-secret.tsx';
import { paths } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { ChangeSheet } from './change-sheet.tsx';
import { ResourceForm } from './resource-form.tsx';
import { entryOf, isTyped, settingRules, settingsOf } from './setting-entry.ts';
import { SettingField, type SettingFormProps } from './setting-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { KEY_COMMANDS } from '../../../src/control/operations/key-commands.ts';

interface KeyCreateProps {
  readonly workspace: string;
  /** The project to begin with; null: none in particular. */
  readonly project: string | null;
  readonly onClose: () => void;
}

/** Creates keys, one after the other in the same project, and shows the secret of each once. */
export function KeyCreate({ project, ...rest }: KeyCreateProps): ReactNode {
  const [round, setRound] = useState({ number: 1, project });
  return (
    <OneKeyCreate
      {...rest}
      key={round.number}
      project={round.project}
      onNext={(last) => setRound({ number: round.number + 1, project: last })}
    />
  );
}

interface OneKeyCreateProps extends KeyCreateProps {
  /** Begins another key, in the project of this one. */
  readonly onNext: (project: string) => void;
}

function OneKeyCreate({ workspace, project, onClose, onNext }: OneKeyCreateProps): ReactNode {
  const { data: projects } = useQuery(projectChoicesQuery(workspace, project));
  const [entry, setEntry] = useState(() => entryOf(KEY_SETTINGS, null));
  const [chosen, setChosen] = useState<string | null>(project);
  const only = projects?.length === 1 ? projects[0] : undefined;
  const target = chosen ?? only?.id ?? '';
  const settings = settingsOf(KEY_SETTINGS, entry);
  const isWithoutProject = projects?.length === 0;
  return (
    <ResourceForm
      title="Create key"
      description="Your programs call models with it. Its secret is shown once, when it is created."
      onClose={onClose}
      dirty={isTyped(KEY_SETTINGS, entry)}
      action="Create key"
      unavailable={isWithoutProject ? 'Create a project first.' : null}
      command={
        isWithoutProject
          ? null
          : commandWords(KEY_COMMANDS, 'key create', { project: target, ...settings, name: settings.name || 'NAME' })
      }
      send={(once) => createKey(workspace, target, { ...settings, once })}
      reload={(queries) => reloadKeys(queries, workspace)}
      done={({ name }) => `Key ${name} was created, but the answer with its secret was lost. Rotate it to get another.`}
      renderSecret={({ key, ...created }) =>
        key && (
          <KeySecret
            apiKey={{ ...created, key }}
            title={[`Key ${created.name} is created.`, ...created.warnings].join(' ')}
            onSaved={onClose}
            onNext={() => onNext(target)}
          />
        )
      }
    >
      {isWithoutProject ? (
        <EmptyState
          cause="A key belongs to a project, and there is none yet."
          action={
            <a href={paths.projects(workspace, { create: true })} className={buttonClass('primary')}>
              Create project
            </a>
          }
        />
      ) : (
        <KeyFields entry={entry} onChange={setEntry}>
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
      )}
    </ResourceForm>
  );
}

interface KeyUpdateFormProps {
  readonly apiKey: KeyJson;
  /** A limit to begin with, as a proposal. */
  readonly limit?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a key. */
export function KeyUpdateForm({ apiKey, limit, onClose }: KeyUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id, name } = apiKey;
  return (
    <ChangeSheet
      kind="key"
      title={`Change ${name}`}
      thing={apiKey}
      rules={{ ...settingRules(KEY_SETTINGS), proposed: limit === undefined ? {} : { spendLimit: limit } }}
      renderFields={KeyFields}
      commandOf={(changes) => commandWords(KEY_COMMANDS, 'key update', { key: id, ...changes })}
      save={updateKey}
      reload={() => reloadKeys(queries, workspace)}
      load={() => queries.query({ ...keyQuery(workspace, id), staleTime: 0 })}
      onClose={onClose}
    />
  );
}

interface KeyFieldsProps extends SettingFormProps<typeof KEY_SETTINGS> {
  /** Below the name, where a new key chooses its project. */
  readonly children?: ReactNode;
}

/** The name, and each other setting in a section of its own, below a hairline. */
function KeyFields({ children, ...props }: KeyFieldsProps): ReactNode {
  return (
    <>
      <SettingField table={KEY_SETTINGS} property="name" {...props} />
      {children}
      {(['spendLimit', 'models', 'expiresAt', 'allowedNetworks', 'metadata'] as const).map((property) => (
        <div key={property} className="border-t border-line pt-4">
          <SettingField table={KEY_SETTINGS} property={property} {...props} />
        </div>
      ))}
    </>
  );
}
