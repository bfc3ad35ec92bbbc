import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { showToast } from '../ui/announcements.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';

interface SendButtonProps<Answer> extends Omit<ButtonProps, 'onClick' | 'busy'> {
  readonly send: () => Promise<Answer>;
  /** What is announced of it. */
  readonly done?: (answer: Answer) => string;
  /** Reads again what it has changed. */
  readonly reload: (queries: QueryClient) => Promise<unknown>;
  readonly onDone?: (answer: Answer) => unknown;
}

/** A button that acts without confirmation. */
export function SendButton<Answer>({ send, done, reload, onDone, ...button }: SendButtonProps<Answer>): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    gcTime: 0,
    onSuccess: async (answer) => {
      if (done !== undefined) showToast(done(answer));
      await reload(queries);
      await onDone?.(answer);
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  return <Button {...button} busy={isPending} onClick={() => mutate()} />;
}
