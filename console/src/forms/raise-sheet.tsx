import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { KeyJson, ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { KEY_COMMANDS } from '../../../src/control/operations/key-commands.ts';
import { MEMBER_COMMANDS } from '../../../src/control/operations/people-commands.ts';
import { PROJECT_COMMANDS } from '../../../src/control/operations/project-commands.ts';
import { RAISE_SETTINGS } from '../../../src/control/resources/raise-settings.ts';
import type { SettingsJson } from '../../../src/control/resources/setting.ts';
import { keyQuery, reloadKeys, updateKey } from '../api/keys.ts';
import { changeMember, memberQuery } from '../api/members.ts';
import { projectQuery, reloadProjects, updateProject } from '../api/projects.ts';
import { commandWords } from '../components/command-words.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { type SentSettings, type SettingEntry, settingRules, settingsOf } from './setting-entry.ts';
import { SettingField, type SettingFormProps } from './setting-field.tsx';

type Table = typeof RAISE_SETTINGS;

interface RaiseProps {
  /** A limit to begin with, as a proposal. */
  readonly limit?: string | undefined;
  readonly onClose: () => void;
}

interface RaiseSheetProps<Thing> extends RaiseProps {
  readonly kind: string;
  readonly thing: Thing & { readonly name: string };
  readonly commandOf: (changes: Partial<SentSettings<Table>>) => readonly string[];
  readonly save: (seen: Thing, changes: Partial<SentSettings<Table>>) => Promise<Thing>;
  readonly reload: () => Promise<unknown>;
  readonly load: () => Promise<Thing>;
}

/** Without an amount there is no end of it, either. */
const sentOf = (entry: SettingEntry<Table>): SentSettings<Table> =>
  settingsOf(RAISE_SETTINGS, entry.raisedLimit.trim() === '' ? { ...entry, raisedUntil: '' } : entry);

/** Raises a limit for a time, or ends that. */
function RaiseSheet<Thing extends SettingsJson<Table> & { readonly version: number }>({
  kind,
  thing,
  limit,
  ...props
}: RaiseSheetProps<Thing>): ReactNode {
  return (
    <ChangeSheet
      kind={kind}
      action="Raise limit"
      title={`Raise the limit of ${thing.name} for a time`}
      thing={thing}
      rules={{
        ...settingRules(RAISE_SETTINGS),
        settingsOf: sentOf,
        proposed: limit === undefined ? {} : { raisedLimit: limit },
      }}
      renderFields={RaiseFields}
      {...props}
    />
  );
}

function RaiseFields(props: SettingFormProps<Table>): ReactNode {
  return (
    <>
      <SettingField table={RAISE_SETTINGS} property="raisedLimit" {...props} />
      <SettingField table={RAISE_SETTINGS} property="raisedUntil" {...props} />
    </>
  );
}

/** Raises a project's budget for a time. */
export function ProjectRaise({ project, ...props }: RaiseProps & { readonly project: ProjectJson }): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id } = project;
  return (
    <RaiseSheet
      kind="project"
      thing={project}
      commandOf={(changes) => commandWords(PROJECT_COMMANDS, 'project update', { project: id, ...changes })}
      save={updateProject}
      reload={() => reloadProjects(queries, workspace)}
      load={() => queries.query({ ...projectQuery(workspace, id), staleTime: 0 })}
      {...props}
    />
  );
}

/** Raises a key's limit for a time. */
export function KeyRaise({ apiKey, ...props }: RaiseProps & { readonly apiKey: KeyJson }): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id } = apiKey;
  return (
    <RaiseSheet
      kind="key"
      thing={apiKey}
      commandOf={(changes) => commandWords(KEY_COMMANDS, 'key update', { key: id, ...changes })}
      save={updateKey}
      reload={() => reloadKeys(queries, workspace)}
      load={() => queries.query({ ...keyQuery(workspace, id), staleTime: 0 })}
      {...props}
    />
  );
}

/** Raises a member's limit for a time. */
export function MemberRaise({
  workspace,
  member,
  ...props
}: RaiseProps & { readonly workspace: string; readonly member: MemberJson }): ReactNode {
  const queries = useQueryClient();
  return (
    <RaiseSheet
      kind="member"
      thing={member}
      commandOf={(changes) =>
        commandWords(MEMBER_COMMANDS, 'member update', { workspace, user: member.email, ...changes })
      }
      save={(seen, changes) => changeMember(workspace, seen, changes)}
      reload={() => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'members'] })}
      load={() => queries.query({ ...memberQuery(workspace, member.id), staleTime: 0 })}
      {...props}
    />
  );
}
