import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { Timestamp } from '../ui/timestamp.tsx';

/** A raise as the API shows it. */
interface Raised {
  readonly raised_limit_nano_usd: string | null;
  readonly raised_until: string | null;
}

/** The limit that holds: the ordinary one, or the one to which it is raised for a time. */
export function limitNow(ordinary: string | null, { raised_limit_nano_usd: raised }: Raised): string | null {
  return ordinary === null || raised === null || BigInt(raised) < BigInt(ordinary) ? ordinary : raised;
}

/** "$100.00 until 30 Nov, then $50.00"; nothing if the limit is not raised. */
export function RaisedLimit({
  ordinary,
  raise: { raised_limit_nano_usd: raised, raised_until: until },
}: {
  readonly ordinary: string | null;
  readonly raise: Raised;
}): ReactNode {
  if (ordinary === null || raised === null || until === null) return null;
  return (
    <>
      <Money amount={raised} /> until <Timestamp at={until} />, then <Money amount={ordinary} />.
    </>
  );
}

/** Leads to the form in which a limit is raised for a time. */
export function RaiseButton({
  unavailable,
  onRaise,
}: {
  readonly unavailable: string | null;
  readonly onRaise: () => void;
}): ReactNode {
  return (
    <Button onClick={onRaise} unavailable={unavailable}>
      Raise for a time
    </Button>
  );
}
