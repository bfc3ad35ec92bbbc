import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { AlertRuleJson, AlertRuleUpdate } from '../../../src/control/admin/alerts/alert-contract.ts';
import { THRESHOLD_FIELDS } from '../../../src/domain/alert-kinds.ts';
import { type Role, ROLES } from '../../../src/domain/roles.ts';
import { type AlertOwner, webhooksQuery } from '../api/alerts.ts';
import { signInOptionsQuery } from '../api/sign-in.ts';
import {
  type AlertKind,
  conditionOf,
  conditionSentence,
  mailedTo,
  rearmedWhen,
  type RuleTerms,
} from '../components/alert-words.ts';
import { readMoney, usdOf } from '../format/money-entry.ts';
import { ROLE_WORDS } from '../session/access.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { ParamField } from './param-field.tsx';
import { TextField } from './text-field.tsx';

/** The typed fields of a rule, except what it watches. */
export interface RuleEntry {
  /** Empty: it is called by what it watches. */
  readonly name: string;
  readonly amount: string;
  readonly percent: string;
  readonly days: string;
  readonly roles: readonly Role[];
  /** A mail address to a line. */
  readonly addresses: string;
}

const NEW_RULE: RuleEntry = {
  name: '',
  amount: '20.00',
  percent: '80',
  days: '7',
  roles: ['owner', 'admin', 'billing'],
  addresses: '',
};

/** What the form shows at first: the rule as it is, or a proposal. */
export function ruleEntryOf(rule: AlertRuleJson | null): RuleEntry {
  if (rule === null) return NEW_RULE;
  return {
    name: rule.name,
    amount: rule.threshold_usd ?? '',
    percent: String(rule.percent ?? ''),
    days: String(rule.days ?? ''),
    roles: rule.mail_roles,
    addresses: rule.mail_to.join('\n'),
  };
}

const NAME_LENGTH_MAX = 100;

type Subject = Pick<RuleTerms, 'kind' | 'subject_id' | 'subject_name'>;

/** The rule as the entry says it. */
export function termsOf(about: Subject, { amount, percent, days }: RuleEntry): RuleTerms {
  const field = THRESHOLD_FIELDS[about.kind];
  const money = readMoney(amount);
  return {
    ...about,
    threshold_nano_usd: field === 'threshold_usd' && money.ok ? money.nano.toString() : null,
    percent: field === 'percent' ? Number(percent) : null,
    days: field === 'days' ? Number(days) : null,
  };
}

/** A name that says the percentage or the amount goes with it, unless another one was typed. */
export function withNameOf(
  rule: Pick<AlertRuleJson, 'name' | 'percent' | 'threshold_nano_usd'>,
  entry: RuleEntry,
): RuleEntry {
  const { name, percent, threshold_nano_usd: amount } = rule;
  if (entry.name !== name) return entry;
  if (percent !== null) return { ...entry, name: name.replace(`${percent} %`, `${entry.percent} %`) };
  if (amount === null || !readMoney(entry.amount).ok) return entry;
  const isAmount = (text: string): boolean => {
    const said = readMoney(text);
    return said.ok && said.nano.toString() === amount;
  };
  return { ...entry, name: name.replace(/[\d.,]+(?= USD)/, (text) => (isAmount(text) ? entry.amount.trim() : text)) };
}

/** What is sent. */
export function ruleSettingsOf(about: Subject, entry: RuleEntry) {
  const thresholds = {
    threshold_usd: usdOf(entry.amount),
    percent: Number(entry.percent),
    days: Number(entry.days),
  };
  const field = THRESHOLD_FIELDS[about.kind];
  return {
    name: entry.name.trim() || conditionSentence(termsOf(about, entry)).slice(0, NAME_LENGTH_MAX),
    ...(field === null ? {} : { [field]: thresholds[field] }),
    mail_roles: [...entry.roles],
    mail_to: entry.addresses.split(/[\s,;]+/).filter((address) => address !== ''),
  } satisfies AlertRuleUpdate;
}

/** The fields that say themselves what is wrong with them. */

interface RuleFieldsProps {
  readonly owner: AlertOwner;
  readonly about: Subject;
  readonly entry: RuleEntry;
  readonly onChange: (entry: RuleEntry) => void;
}

export function AlertRuleFields({ owner, about, entry, onChange }: RuleFieldsProps): ReactNode {
  const set = (field: keyof RuleEntry) => (value: string) => onChange({ ...entry, [field]: value });
  return (
    <>
      <Threshold about={about} entry={entry} onSet={set} />
      <MailChoice owner={owner} entry={entry} onChange={onChange} />
      <TextField
        param="name"
        label="Name"
        help="Empty: it is called by what it watches."
        optional
        value={entry.name}
        onChange={set('name')}
        maxLength={NAME_LENGTH_MAX}
        placeholder={conditionSentence(termsOf(about, entry))}
      />
      <Consequence owner={owner} about={about} entry={entry} />
    </>
  );
}

const PERCENT_HELP: Readonly<Partial<Record<AlertKind, string>>> = {
  balance_share: 'Percent of the last top-up or grant.',
  project_budget: 'Percent of the budget in its window.',
  key_limit: 'Percent of the monthly limit.',
  member_limit: 'Percent of the monthly limit.',
  end_user_limit: 'Percent of the limit in its window.',
  session_limit: 'Percent of the limit.',
};

interface ThresholdProps {
  readonly about: Subject;
  readonly entry: RuleEntry;
  readonly onSet: (field: keyof RuleEntry) => (value: string) => void;
}

function Threshold({ about: { kind }, entry, onSet }: ThresholdProps): ReactNode {
  const field = THRESHOLD_FIELDS[kind];
  if (field === null) return null;
  const isShare = kind === 'balance_share';
  const [label, help] = {
    threshold_usd: ['Alert when the balance is below'],
    days: ['Alert when the balance lasts for fewer days than', 'At what was spent a day on average in the last week.'],
    percent: [isShare ? 'Alert when the balance is below' : 'Alert when so much is used', PERCENT_HELP[kind]],
  }[field];
  return (
    <ParamField param={field} label={label ?? ''} help={help}>
      {field === 'threshold_usd' ? (
        <MoneyInput value={entry.amount} onChange={onSet('amount')} />
      ) : (
        <TextInput
          type="number"
          inputMode="numeric"
          min={1}
          max={field === 'days' ? 365 : 100}
          required
          value={entry[field]}
          onChange={onSet(field)}
        />
      )}
    </ParamField>
  );
}

function MailChoice({ owner, entry, onChange }: Omit<RuleFieldsProps, 'about'>): ReactNode {
  const legend = useId();
  const toggle = (role: Role, isChosen: boolean): void => {
    const others = entry.roles.filter((each) => each !== role);
    onChange({ ...entry, roles: ROLES.filter((each) => (each === role ? isChosen : others.includes(each))) });
  };
  return (
    <>
      {owner === null ? (
        <Checkbox
          label="Mail to all operators"
          checked={entry.roles.length > 0}
          onChange={(isChosen) => onChange({ ...entry, roles: isChosen ? ['owner'] : [] })}
        />
      ) : (
        <fieldset aria-labelledby={legend} className="min-w-0">
          <legend id={legend} className="mb-1 text-control font-medium">
            Mail to all
          </legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {ROLES.map((role) => (
              <Checkbox
                key={role}
                label={ROLE_WORDS[role]}
                checked={entry.roles.includes(role)}
                onChange={(isChosen) => toggle(role, isChosen)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <ParamField
        param="mail_to"
        label="Mail to these addresses too"
        help="One a line. They need no account here."
        optional
      >
        <TextArea
          value={entry.addresses}
          onChange={(addresses) => onChange({ ...entry, addresses })}
          rows={2}
          spellCheck={false}
          placeholder="ops@example.com"
        />
      </ParamField>
    </>
  );
}

/** What the rule does at most, and what it does not do. */
function Consequence({ owner, about, entry }: Omit<RuleFieldsProps, 'onChange'>): ReactNode {
  const sendsMail = useQuery(signInOptionsQuery).data?.mail ?? true;
  const endpoints = useQuery(webhooksQuery(owner)).data?.data.filter(({ enabled }) => enabled).length ?? 0;
  const { mail_roles: roles, mail_to: addresses } = ruleSettingsOf(about, entry);
  const mailed = mailedTo({ mail_roles: owner === null ? [] : roles, mail_to: addresses });
  const operators = owner === null && roles.length > 0 ? ['operators'] : [];
  const people = [...operators, ...(mailed === null ? [] : [mailed])].join(' and ');
  const hooks =
    endpoints === 0 ? null : `${endpoints} webhook ${endpoints === 1 ? 'endpoint gets it' : 'endpoints get it'}`;
  const ways = [people === '' || !sendsMail ? null : `${people} get a mail`, hooks].filter((way) => way !== null);
  return (
    <div aria-live="polite" className="flex flex-col gap-1 rounded-control bg-sunken px-3 py-2 text-control">
      <p>
        When {conditionOf(termsOf(about, entry))},{' '}
        {ways.length === 0 ? 'it is listed on this page, and nobody is notified' : ways.join(', and ')}.
      </p>
      {!sendsMail && people !== '' && (
        <p className="text-warn-text">This instance sends no mail: its operator has not configured that.</p>
      )}
      <p className="text-text-2">
        It stops nothing: the search for alerts runs every 30 seconds, and what is spent until then is spent.{' '}
        {rearmedWhen(about.kind)}
      </p>
    </div>
  );
}
