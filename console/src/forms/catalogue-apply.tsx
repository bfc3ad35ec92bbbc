import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CatalogueChangeJson } from '../../../src/control/admin/contract.ts';
import { applyCatalogue } from '../api/catalogue.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { formatNumberOf } from '../format/count.ts';
import { showToast } from '../ui/announcements.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { commandWords } from '../components/command-words.ts';
import { CATALOGUE_COMMANDS } from '../../../src/control/operations/catalogue-commands.ts';

interface CatalogueApplyProps {
  readonly changes: readonly CatalogueChangeJson[];
  readonly onClose: () => void;
}

/** Puts the config file's prices on sale: those that look like slips only where the reader approves of them. */
export function CatalogueApply({ changes, onClose }: CatalogueApplyProps): ReactNode {
  const queries = useQueryClient();
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const doubtful = changes.filter(({ needs_accept: isNeeded }) => isNeeded);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => applyCatalogue({ accept: [...accepted] }),
    onSuccess: async ({ applied, withheld }) => {
      const left = withheld.length === 0 ? '' : ` ${formatNumberOf(withheld.length, 'change')} still waiting.`;
      showToast(`${formatNumberOf(applied.length, 'change')} applied.${left}`);
      onClose();
      await queries.invalidateQueries({ queryKey: ['operator'] });
    },
  });
  const plain = changes.length - doubtful.length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Apply the config file's prices?"
      action="Apply changes"
      danger={accepted.length > 0}
      busy={isPending}
      error={problemFrom(error)}
      onConfirm={() => mutate()}
    >
      <p className="mb-4">
        Requests that arrive from now on are charged by them. Those that run keep their price.
        {plain > 0 && ` ${formatNumberOf(plain, 'change')} ${plain === 1 ? 'needs' : 'need'} no approval.`}
      </p>
      <div className="mb-4 flex flex-col gap-2">
        {doubtful.map(({ model, change, fields }) => (
          <Checkbox
            key={`${model} ${change}`}
            label={`Approve ${model}`}
            help={
              change === 'retire'
                ? 'It goes off sale, along with most others.'
                : fields.map(({ field, from, to }) => `${field} from ${from ?? 'none'} to ${to ?? 'none'}`).join(', ')
            }
            checked={accepted.includes(model)}
            onChange={(isAccepted) =>
              setAccepted((former) => (isAccepted ? [...former, model] : former.filter((each) => each !== model)))
            }
          />
        ))}
      </div>
      <CommandLine command={commandWords(CATALOGUE_COMMANDS, 'catalogue apply', { accept: accepted })} />
    </ConfirmDialog>
  );
}
