import { type ReactNode, useState } from 'react';
import { Countdown } from '../ui/countdown.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { ConfirmAction, type ConfirmActionProps } from './confirm-action.tsx';

const OVERLAPS = [
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
  const [isLeaked, setIsLeaked] = useState(false);
  const [chosen, setChosen] = useState<Overlap>('24');
  const overlap = isLeaked ? '0' : chosen;
  const [rotated, setRotated] = useState<Answer | null>(null);
  return (
    <>
      <ConfirmAction
        {...action}
        danger={isLeaked}
        command={commandOf(overlap)}
        send={() => rotate(Number(overlap))}
        onDone={setRotated}
        isVersioned
      >
        <p>
          {children}
          {hasFormer && ' The secret before the present one ends now.'}
        </p>
        <RadioGroup
          label="Has the present secret leaked?"
          value={isLeaked ? 'yes' : 'no'}
          onChange={(answer) => setIsLeaked(answer === 'yes')}
          options={[
            { value: 'no', label: 'No', help: 'There is time to give programs the new one.' },
            { value: 'yes', label: 'Yes', help: 'It ends now: who uses it is refused within a second.' },
          ]}
        />
        {!isLeaked && (
          <Field label={`The former secret ${verb} for`}>
            <Select
              value={chosen}
              onChange={setChosen}
              options={OVERLAPS.filter(({ value }) => Number(value) <= hoursMax)}
            />
          </Field>
        )}
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
