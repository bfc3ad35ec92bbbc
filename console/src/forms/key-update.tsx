import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { keyQuery, reloadKeys, updateKey } from '../api/keys.ts';
import { keyCommand } from '../components/key-command.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { KeyFields } from './key-fields.tsx';
import { paramsOf, settingRules } from './setting-entry.ts';

interface KeyUpdateFormProps {
  readonly apiKey: KeyJson;
  /** A limit to begin with, as a proposal. */
  readonly limit?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a key. */
export function KeyUpdateForm({ apiKey, limit, onClose }: KeyUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id } = apiKey;
  return (
    <ChangeSheet
      kind="key"
      thing={apiKey}
      rules={{ ...settingRules(KEY_SETTINGS), proposed: limit === undefined ? {} : { spendLimit: limit } }}
      fields={KeyFields}
      params={paramsOf(KEY_SETTINGS)}
      commandOf={(changes) => keyCommand.update(id, changes)}
      save={updateKey}
      onSaved={() => reloadKeys(queries, workspace)}
      load={() => queries.query({ ...keyQuery(workspace, id), staleTime: 0 })}
      onClose={onClose}
    />
  );
}
