import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export interface ConfirmActionProps<Answer> extends Pick<
  ButtonProps,
  'kind' | 'className' | 'unavailable' | 'aria-label'
> {
  /** Verb and object: "Revoke key". */
  readonly action: string;
  /** What the button on the page says, unless that is the action. */
  readonly label?: string;
  /** The question: "Revoke laptop?". */
  readonly title: string;
  /** What happens next. */
  readonly children: ReactNode;
  /** The same as a command. */
  readonly command?: readonly string[] | undefined;
  /** The name that has to be typed for what cannot be undone. */
  readonly typedName?: string | undefined;
  readonly danger?: boolean;
  readonly send: () => Promise<Answer>;
  /** What is announced of it. */
  readonly done?: (answer: Answer) => string;
  readonly onDone?: (answer: Answer) => unknown;
  /** Reads again what it has changed. */
  readonly reload?: (queries: QueryClient) => Promise<unknown>;
  /** Refused if it has changed since it was read: it is read again then, so that confirming again changes it as it is. */
  readonly isVersioned?: boolean;
}

/** A button that asks for confirmation first. */
export function ConfirmAction<Answer>({
  action,
  label = action,
  title,
  children,
  command,
  typedName,
  danger,
  send,
  done,
  onDone,
  reload,
  isVersioned = false,
  ...button
}: ConfirmActionProps<Answer>): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: send,
    // An answer may have a secret in it, which stays in no cache.
    gcTime: 0,
    onSuccess: async (answer) => {
      setIsOpen(false);
      if (done !== undefined) showToast(done(answer));
      await onDone?.(answer);
      await reload?.(queries);
    },
    onError: async () => {
      if (isVersioned) await reload?.(queries);
    },
  });
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={title}
        action={action}
        typedName={typedName}
        danger={danger}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <div className="flex flex-col gap-4">
          {typeof children === 'string' ? <p>{children}</p> : children}
          {command !== undefined && <CommandLine command={command} />}
        </div>
      </ConfirmDialog>
    </>
  );
}
