import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccessJson } from '../../../src/control/admin/identity/access-contract.ts';
import { ACCESS_COMMANDS } from '../../../src/control/operations/workspace-access-commands.ts';
import { ACCESS_SETTINGS } from '../../../src/control/resources/access-settings.ts';
import { accessQuery, changeAccess, reloadAccess } from '../api/workspace-access.ts';
import { commandWords } from '../components/command-words.ts';
import { useUnavailable } from '../session/access.ts';
import { Button } from '../ui/button.tsx';
import { ChangeSheet } from './change-sheet.tsx';
import { entryOf, type SettingEntry, type SentSettings, settingsOf } from './setting-entry.ts';
import { SettingField } from './setting-field.tsx';
import { TextField } from './text-field.tsx';

type AccessTable = typeof ACCESS_SETTINGS;
type Property = keyof AccessTable;

/** What is typed: the settings, and a secret, which is sent if there is one. */
type Entry = SettingEntry<AccessTable> & { readonly clientSecret: string };
type Sent = SentSettings<AccessTable> & { readonly client_secret?: string };

const RULES = {
  entryOf: (access: AccessJson): Entry => ({ ...entryOf(ACCESS_SETTINGS, access), clientSecret: '' }),
  settingsOf: ({ clientSecret, ...entry }: Entry): Sent => ({
    ...settingsOf(ACCESS_SETTINGS, entry),
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
  }),
};

const PROVIDER = ['issuer', 'clientId'] as const satisfies readonly Property[];
const PEOPLE = [
  'groupRoles',
  'defaultRole',
  'groupsClaim',
  'trustsAddresses',
  'onlyOpenid',
] as const satisfies readonly Property[];
const CONDITIONS = ['secondFactor', 'endsLeaversKeys', 'allowedNetworks'] as const satisfies readonly Property[];

interface AccessChangeProps {
  readonly workspace: string;
  readonly access: AccessJson;
}

/** Changes the workspace's own provider, and what its people get. */
export function ProviderChange({ workspace, access }: AccessChangeProps): ReactNode {
  return (
    <AccessChange
      workspace={workspace}
      access={access}
      action="Change single sign-on"
      title="Single sign-on"
      renderFields={({ entry, onChange }) => (
        <>
          <Fields properties={PROVIDER} entry={entry} onChange={onChange} />
          <TextField
            param="client_secret"
            label="Client secret"
            help={
              access.has_client_secret ? 'There is one. Empty: it stays.' : 'From the provider. It is not shown again.'
            }
            type="password"
            optional
            value={entry.clientSecret}
            onChange={(clientSecret) => onChange({ ...entry, clientSecret })}
          />
          <Fields properties={PEOPLE} entry={entry} onChange={onChange} />
        </>
      )}
    />
  );
}

/** Changes what members and keys need to use the workspace. */
export function ConditionsChange({ workspace, access }: AccessChangeProps): ReactNode {
  return (
    <AccessChange
      workspace={workspace}
      access={access}
      action="Change conditions"
      title="Conditions"
      renderFields={(props) => <Fields properties={CONDITIONS} {...props} />}
    />
  );
}

interface FieldsProps {
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
}

function Fields({
  properties,
  entry,
  onChange,
}: FieldsProps & { readonly properties: readonly Property[] }): ReactNode {
  return properties.map((property) => (
    <SettingField
      key={property}
      table={ACCESS_SETTINGS}
      property={property}
      entry={entry}
      onChange={(changed) => onChange({ ...entry, ...changed })}
    />
  ));
}

interface SheetProps extends AccessChangeProps {
  readonly action: string;
  readonly title: string;
  readonly renderFields: (props: FieldsProps) => ReactNode;
}

function AccessChange({ workspace, access, action, title, renderFields }: SheetProps): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(workspace, 'access:write', 'change how a workspace is accessed')}
      >
        {action}
      </Button>
      {isOpen && (
        <ChangeSheet
          kind="access"
          title={title}
          thing={access}
          rules={RULES}
          renderFields={renderFields}
          commandOf={({ client_secret: secret, ...changes }) =>
            commandWords(ACCESS_COMMANDS, 'access update', {
              workspace,
              ...changes,
              ...(secret === undefined ? {} : { client_secret: 'SECRET' }),
            })
          }
          save={changeAccess}
          done={() => 'The access is changed.'}
          reload={reloadAccess(workspace)}
          load={() => queries.query({ ...accessQuery(workspace), staleTime: 0 })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
