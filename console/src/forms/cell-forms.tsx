import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedCellJson } from '../../../src/control/admin/cells/cell-contract.ts';
import { CELL_COMMANDS } from '../../../src/control/operations/cell-commands.ts';
import { cellsQuery, deleteCell, storeCell } from '../api/cells.ts';
import { commandWords } from '../components/command-words.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';

const reload = (queries: QueryClient): Promise<void> => queries.invalidateQueries({ queryKey: cellsQuery.queryKey });

interface CellFormProps {
  /** The one that is changed; null: another is added. */
  readonly cell: ListedCellJson | null;
  readonly onClose: () => void;
}

/** Has this cell know another one, or gives that one another address and token. */
export function CellForm({ cell, onClose }: CellFormProps): ReactNode {
  const [shard, setShard] = useState(cell?.shard ?? '');
  const [url, setUrl] = useState(cell?.url ?? '');
  const [token, setToken] = useState('');
  const [version, setVersion] = useState(cell?.version ?? 0);
  const queries = useQueryClient();
  const load = async (): Promise<void> => {
    const { data } = await queries.query({ ...cellsQuery, staleTime: 0 });
    setVersion(data.find((each) => each.shard === shard)?.version ?? 0);
  };
  const words = { shard: shard.trim(), address: url.trim() };
  const action = cell === null ? 'Add cell' : 'Change cell';
  return (
    <ResourceForm
      title={cell === null ? action : `Change cell ${cell.shard}`}
      description="It must answer at the address, take the token, and have this shard."
      onClose={onClose}
      dirty={token !== '' || url !== (cell?.url ?? '') || shard !== (cell?.shard ?? '')}
      action={action}
      command={commandWords(CELL_COMMANDS, 'cell add', words)}
      send={() => storeCell({ shard: words.shard, version }, { url: words.address, token: token.trim() })}
      done={(stored) => `The cell ${stored.shard} is ${cell === null ? 'added' : 'changed'}.`}
      reload={reload}
      {...(cell === null ? {} : { versioned: { thing: 'cell', load } })}
    >
      {cell === null && (
        <TextField
          param="shard"
          label="Shard"
          help="The two characters in its keys: 01 of fg_live_01…"
          value={shard}
          onChange={setShard}
          minLength={2}
          maxLength={2}
          spellCheck={false}
        />
      )}
      <TextField
        param="url"
        label="Address"
        help="Where its instances are, such as https://one.gateway.example."
        type="url"
        value={url}
        onChange={setUrl}
        maxLength={2_000}
        spellCheck={false}
      />
      <TextField
        param="token"
        label="Operator token"
        help="One of that cell. It is encrypted, and never shown again."
        type="password"
        value={token}
        onChange={setToken}
        maxLength={4_096}
      />
    </ResourceForm>
  );
}

/** Forgets another cell. */
export function CellRemove({ cell: { shard, version } }: { readonly cell: ListedCellJson }): ReactNode {
  return (
    <ConfirmAction
      kind="quiet"
      label="Remove"
      aria-label={`Remove cell ${shard}`}
      title={`Remove cell ${shard}?`}
      action="Remove cell"
      command={commandWords(CELL_COMMANDS, 'cell remove', { shard })}
      send={() => deleteCell(shard, version)}
      done={() => `The cell ${shard} is forgotten here.`}
      reload={reload}
      isVersioned
    >
      This cell forgets the address and the token, and refuses keys of that cell. Nothing changes there. A cell to which
      a workspace has moved, or from which one has come, cannot be removed.
    </ConfirmAction>
  );
}
