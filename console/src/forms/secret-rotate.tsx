import { type ReactNode, useState } from 'react';
import { Countdown } from '../ui/countdown.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { ConfirmAction, type ConfirmActionProps } from './confirm-action.tsx';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

interface Rotated {
  readonly former_secret_until: string | null;
}

interface SecretRotateProps<Answer> extends Pick<
  ConfirmActionProps<Answer>,
  'action' | 'title' | 'unavailable' | 'reload'
> {
  /** What a secret does: "works". */
  readonly verb: string;
  /** What becomes of the two secrets. */
  readonly children: string;
  /** Whether a previous secret is still valid; it ends now. */
  readonly hasFormer: boolean;
  readonly hoursMax: number;
  readonly commandOf: (overlapHours: string) => readonly string[];
  readonly rotate: (overlapHours: number) => Promise<Answer>;
  /** Shows the secret, with a note until when the previous one works. */
  readonly renderSecret: (rotated: Answer, note: ReactNode, close: () => void) => ReactNode;
}

/** Gives something another secret, which is shown once. */
export function SecretRotate<Answer extends Rotated>(props: SecretRotateProps<Answer>): ReactNode {
  const { verb, children, hasFormer, hoursMax, commandOf, rotate, renderSecret, ...action } = props;
  const [overlap, setOverlap] = useState<Overlap>('24');
  const [rotated, setRotated] = useState<Answer | null>(null);
  return (
    <>
      <ConfirmAction
        {...action}
        danger={overlap === '0'}
        command={commandOf(overlap)}
        send={() => rotate(Number(overlap))}
        onDone={setRotated}
        isVersioned
      >
        <p>
          {children}
          {hasFormer && ' The secret before the present one ends now.'}
        </p>
        <Field label={`The former secret ${verb} for`}>
          <Select
            value={overlap}
            onChange={setOverlap}
            options={OVERLAPS.filter(({ value }) => Number(value) <= hoursMax)}
          />
        </Field>
      </ConfirmAction>
      {rotated !== null && renderSecret(rotated, <FormerNote verb={verb} rotated={rotated} />, () => setRotated(null))}
    </>
  );
}

function FormerNote({ verb, rotated: { former_secret_until: until } }: { verb: string; rotated: Rotated }): ReactNode {
  return (
    <p className="text-control">
      {until === null ? (
        'The former secret has ended.'
      ) : (
        <>
          The former secret {verb} for another <Countdown until={until} />.
        </>
      )}
    </p>
  );
}
