import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EndUserJson, ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { END_USER_COMMANDS } from '../../../src/control/operations/end-user-commands.ts';
import { END_USER_SETTINGS } from '../../../src/control/resources/end-user-settings.ts';
import { END_USER_BYTES_MAX } from '../../../src/domain/end-user.ts';
import { findEndUser, reloadEndUsers, removeEndUserLimit, setEndUserLimit } from '../api/end-users.ts';
import { commandWords } from '../components/command-words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { entryOf, settingsOf } from './setting-entry.ts';
import { SettingField } from './setting-field.tsx';
import { TextField } from './text-field.tsx';

const NAME_HELP = 'Letter for letter as requests name them, in safety_identifier, user or metadata.user_id.';

interface EndUserLimitProps {
  readonly project: ProjectJson;
  /** The end user whose limit is changed; null: the form asks for a name. */
  readonly endUser: EndUserJson | null;
  readonly onClose: () => void;
}

/** Sets the limit of one end user. */
export function EndUserLimit({ project, endUser, onClose }: EndUserLimitProps): ReactNode {
  const { workspace_id: workspace, id } = project;
  const [name, setName] = useState(endUser?.name ?? '');
  const [shown] = useState(() => entryOf(END_USER_SETTINGS, endUser));
  const [entry, setEntry] = useState(shown);
  const { limit_usd } = settingsOf(END_USER_SETTINGS, entry);
  return (
    <ResourceForm
      frame={Dialog}
      title={endUser === null ? 'Limit an end user' : `Limit of ${endUser.name}`}
      onClose={onClose}
      dirty={name !== (endUser?.name ?? '') || entry.limit !== shown.limit}
      action="Set limit"
      command={commandWords(END_USER_COMMANDS, 'end-user update', { project: id, name, limit_usd })}
      send={() => setEndUserLimit(workspace, id, { name, limit_usd })}
      done={() => `The limit of ${name} is set.`}
      reload={(queries) => reloadEndUsers(queries, workspace, id)}
    >
      {endUser === null && (
        <TextField
          param="name"
          label="End user"
          help={NAME_HELP}
          value={name}
          onChange={setName}
          maxLength={END_USER_BYTES_MAX}
          spellCheck={false}
        />
      )}
      <SettingField table={END_USER_SETTINGS} property="limit" entry={entry} onChange={setEntry} />
    </ResourceForm>
  );
}

interface EndUserRemoveProps {
  readonly project: ProjectJson;
  readonly endUser: EndUserJson;
  readonly unavailable: string | null;
}

/** Removes the limit of one end user. */
export function EndUserRemove({ project, endUser, unavailable }: EndUserRemoveProps): ReactNode {
  const { workspace_id: workspace, id } = project;
  const { name } = endUser;
  return (
    <ConfirmAction
      kind="quiet"
      label="Remove"
      aria-label={`Remove the limit of ${name}`}
      unavailable={unavailable}
      title={`Remove the limit of ${name}?`}
      action="Remove limit"
      command={commandWords(END_USER_COMMANDS, 'end-user unlimit', { project: id, endUser: name })}
      send={() => removeEndUserLimit(workspace, id, endUser)}
      done={() => `The limit of ${name} is removed.`}
      reload={(queries) => reloadEndUsers(queries, workspace, id)}
    >
      The project&rsquo;s limit of each end user holds for them, and their name is deleted here.
    </ConfirmAction>
  );
}

interface EndUserFindProps {
  readonly project: ProjectJson;
  readonly render: (found: EndUserJson) => ReactNode;
}

/** Shows the limit of an end user by the name that is typed, and what is used of it. */
export function EndUserFind({ project, render }: EndUserFindProps): ReactNode {
  const [name, setName] = useState('');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => findEndUser(project.workspace_id, project.id, name),
  });
  return (
    <InlineForm error={error} className="mt-4 flex max-w-md flex-col gap-2" onSubmit={() => mutate()}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            param="name"
            label="Find an end user"
            value={name}
            onChange={setName}
            maxLength={END_USER_BYTES_MAX}
            spellCheck={false}
          />
        </div>
        <Button type="submit" busy={isPending}>
          Find
        </Button>
      </div>
      <FormProblem />
      {data !== undefined && <output>{render(data)}</output>}
    </InlineForm>
  );
}
