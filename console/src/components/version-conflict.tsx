import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { ProblemPanel } from './problem-panel.tsx';

interface VersionConflictProps {
  /** "project". */
  readonly thing: string;
  /** Reads the thing again, and keeps what was typed. */
  readonly onLoad: () => Promise<void>;
}

/** Somebody else has changed the thing while the form was open. */
export function VersionConflict({ thing, onLoad }: VersionConflictProps): ReactNode {
  const { mutate, error, isPending } = useMutation({ mutationFn: onLoad });
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-control bg-warn-soft px-3 py-2.5">
      <p className="text-control font-medium text-warn-text">Somebody else has changed this {thing} in the meantime.</p>
      <p className="text-control text-text-2">
        Nothing of yours is saved yet. Load their version: what you typed stays, what you left alone becomes theirs.
        Then look it over and send it again.
      </p>
      <Button onClick={() => mutate()} busy={isPending}>
        Load their version
      </Button>
      <ProblemPanel error={error} />
    </div>
  );
}
