import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RevokeButtonProps {
  /** What is revoked: "the invitation of ada@example.com". */
  readonly what: string;
  /** The verb and the kind of thing. */
  readonly action: string;
  /** What becomes of it. */
  readonly words: string;
  readonly done: string;
  /** What is typed to confirm it. */
  readonly typedName?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly unavailable?: string | null | undefined;
  readonly revoke: () => Promise<unknown>;
  /** Of the list that it stands in. */
  readonly queryKey: QueryKey;
}

/** Revokes a row of a list, once that is confirmed. */
export function RevokeButton(props: RevokeButtonProps): ReactNode {
  const { what, action, words, done, typedName, command, unavailable, revoke, queryKey } = props;
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: revoke,
    onSuccess: async () => {
      setIsOpen(false);
      showToast(done);
      await queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)} aria-label={`Revoke ${what}`} unavailable={unavailable}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Revoke ${what}?`}
        action={action}
        typedName={typedName}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="whitespace-normal not-last:mb-4">{words}</p>
        {command !== undefined && <CommandLine command={command} />}
      </ConfirmDialog>
    </>
  );
}
