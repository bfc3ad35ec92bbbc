import { type ReactNode, useState } from 'react';
import type { RecurringGrantCreation } from '../../../src/control/admin/ledger/grant-contract.ts';
import { addDays, dayOf, type UtcDay } from '../format/day.ts';
import { DateInput } from '../ui/date-input.tsx';
import { Select } from '../ui/select.tsx';
import { ParamField } from './param-field.tsx';

const OFTEN = [
  { value: 'once', label: 'Once' },
  { value: 'day', label: 'Each day' },
  { value: 'week', label: 'Each week, from Monday' },
  { value: 'month', label: 'Each month' },
] as const;

const EXPIRIES = [
  { value: 'with_period', label: 'When its period ends' },
  { value: 'never', label: 'Never' },
] as const;

const STARTS = [
  { value: 'now', label: 'Now, with the present period' },
  { value: 'next', label: 'With the next period' },
] as const;

/** How often a grant is given, and when what is left of it expires. */
export interface GrantTerms {
  readonly often: (typeof OFTEN)[number]['value'];
  /** The day from which a single grant is expired; empty: it does not expire. */
  readonly expiresOn: UtcDay;
  readonly expires: NonNullable<RecurringGrantCreation['expires']>;
  readonly starts: NonNullable<RecurringGrantCreation['starts']>;
}

export const ONE_GRANT: GrantTerms = { often: 'once', expiresOn: '', expires: 'with_period', starts: 'now' };

/** The recurring grant of these terms; null if it is given once. */
export function recurringOf(
  { often, expires, starts }: GrantTerms,
  usd: string,
  reason: string,
): RecurringGrantCreation | null {
  return often === 'once' ? null : { amount_usd: usd, period: often, expires, starts, reason };
}

interface GrantTermsFieldsProps {
  readonly terms: GrantTerms;
  readonly onChange: (terms: GrantTerms) => void;
}

/** The fields of a grant's terms. */
export function GrantTermsFields({ terms, onChange }: GrantTermsFieldsProps): ReactNode {
  const [tomorrow] = useState(() => addDays(dayOf(new Date()), 1));
  return (
    <>
      <ParamField param="period" label="How often" help="Periods begin at 00:00 UTC.">
        <Select value={terms.often} options={OFTEN} onChange={(often) => onChange({ ...terms, often })} />
      </ParamField>
      {terms.often === 'once' ? (
        <ParamField
          param="expires_at"
          label="Expires on"
          help="What is left expires at the start of this day, UTC."
          optional
        >
          <DateInput
            value={terms.expiresOn}
            min={tomorrow}
            onChange={(expiresOn) => onChange({ ...terms, expiresOn })}
          />
        </ParamField>
      ) : (
        <>
          <ParamField param="expires" label="What is left expires">
            <Select value={terms.expires} options={EXPIRIES} onChange={(expires) => onChange({ ...terms, expires })} />
          </ParamField>
          <ParamField param="starts" label="Starts">
            <Select value={terms.starts} options={STARTS} onChange={(starts) => onChange({ ...terms, starts })} />
          </ParamField>
        </>
      )}
    </>
  );
}
