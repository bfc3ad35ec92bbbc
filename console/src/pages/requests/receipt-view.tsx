import type { ReactNode } from 'react';
import { factText, otherFacts, type ReceiptFact } from '../../../../src/domain/receipt-facts.ts';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { DIALECT_WORDS } from '../../components/dialect-words.ts';
import { capitalized } from '../../format/capitalized.ts';
import { OutcomeWord } from '../../components/outcome-word.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatMoneyExactly } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { Copied } from '../../ui/copied.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Definition, type DefinitionItems, DefinitionList } from '../../ui/definition-list.tsx';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ReceiptAttempts } from './receipt-attempts.tsx';
import { ReceiptBill } from './receipt-bill.tsx';

/** What became of a served request, and what it cost. */
export function ReceiptView({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  return (
    <>
      <div className="mb-6">
        <p className="text-section font-semibold">{receiptSentence(receipt)}</p>
        {receiptNotes(receipt).map((note) => (
          <p key={note} className="mt-1 text-control text-text-2">
            {note}
          </p>
        ))}
      </div>
      <Section title="Bill">
        {receipt.cost === null && (
          <p className="mb-2 text-control text-text-2">The price version that it was charged by is no longer known.</p>
        )}
        {receipt.cost !== null && receipt.cost.above_input_tokens !== null && (
          <p className="mb-2 text-control text-text-2">{`At the prices above ${receipt.cost.above_input_tokens} input tokens.`}</p>
        )}
        <ReceiptBill receipt={receipt} />
        <p className="tabular mt-3 text-meta text-text-3">
          Held <Money exact amount={receipt.hold_nano_usd} />, released <Money exact amount={releasedOf(receipt)} />.
        </p>
      </Section>
      <Section title="Attempts">
        <ReceiptAttempts receipt={receipt} />
      </Section>
      <Section title="About this request">
        <DefinitionList items={factsOf(receipt)} />
      </Section>
    </>
  );
}

function releasedOf({ hold_nano_usd: hold, charge_nano_usd: charge }: ReceiptJson): bigint {
  return BigInt(hold) - BigInt(charge);
}

/** The agent's session, and the way to all requests of it. */
function Session({ workspace, session }: { readonly workspace: string; readonly session: string }): ReactNode {
  return (
    <span className="inline-flex items-center gap-1">
      <TextLink href={paths.requests(workspace, { session, range: '30d' })}>
        <code className="font-mono text-meta wrap-anywhere">{session}</code>
      </TextLink>
      <CopyButton text={session} label="Copy the session" />
    </span>
  );
}

function PriceVersion({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  const { workspace_id: workspace, model, price_version: version, price_adjustment: adjustment } = receipt;
  const change = adjustment?.change_percent;
  return (
    <>
      <TextLink href={paths.model(workspace, model)}>{version === null ? 'unknown' : `version ${version}`}</TextLink>
      {adjustment !== null &&
        ` (list price version ${adjustment.list_price_version}, ${change?.startsWith('-') ? `−${change.slice(1)}` : `+${change}`}%)`}
    </>
  );
}

const IN_SENTENCES = [
  'outcome',
  'duration_ms',
  'retry',
  'left_out',
  'shortened_to_tokens',
  'late',
  'superseded_by',
  'levels',
] as const;
const IN_THE_BILL = ['charge_usd', 'hold_usd', 'write_off_usd', 'fees_usd', 'net_charge_usd', 'usage', 'uses'] as const;
const BELOW_THE_BILL = ['corrections', 'cost', 'attempts', 'streamed', 'first_event_ms'] as const;
const IN_LINKS = [
  'workspace_id',
  'workspace_name',
  'project_id',
  'project_name',
  'key_id',
  'key_name',
  'session',
] as const;
const IN_FACTS = ['model', 'price_version_id', 'price_version', 'price_adjustment', 'dialect', 'admitted_at'] as const;
const LAST = ['settled_at', 'request_id', 'client_request_id'] as const;
const PLACED = [...IN_SENTENCES, ...IN_THE_BILL, ...BELOW_THE_BILL, ...IN_LINKS, ...IN_FACTS, ...LAST] as const;

function otherDefinition({ name, label, value }: ReceiptFact): Definition {
  const text = factText({ name, value });
  const isTime = name.endsWith('_at');
  return { term: capitalized(label), value: isTime ? <Timestamp at={text} /> : text };
}

function factsOf(receipt: ReceiptJson): DefinitionItems {
  const { workspace_id: workspace, first_event_ms: first, superseded_by: successor } = receipt;
  return [
    { term: 'Outcome', value: <OutcomeWord outcome={receipt.outcome} /> },
    {
      term: 'Model',
      value: <TextLink href={paths.model(workspace, receipt.model)}>{receipt.model}</TextLink>,
    },
    { term: 'Price', value: <PriceVersion receipt={receipt} /> },
    {
      term: 'Key',
      value: <TextLink href={paths.key(workspace, receipt.key_id)}>{receipt.key_name}</TextLink>,
    },
    {
      term: 'Project',
      value: <TextLink href={paths.project(workspace, receipt.project_id)}>{receipt.project_name}</TextLink>,
    },
    {
      term: 'API',
      value: `${DIALECT_WORDS[receipt.dialect]}${receipt.streamed ? ', streamed' : ''}`,
    },
    receipt.session !== null && { term: 'Session', value: <Session workspace={workspace} session={receipt.session} /> },
    { term: 'Arrived', value: <Timestamp at={receipt.admitted_at} /> },
    { term: 'Settled', value: <Timestamp at={receipt.settled_at} /> },
    first !== null && { term: 'First event', value: <Duration ms={first} /> },
    ...(successor === null
      ? []
      : [
          {
            term: 'Superseded by',
            value: <TextLink href={paths.request(workspace, successor)}>{successor}</TextLink>,
          },
        ]),
    {
      term: 'In the ledger',
      value: (
        <TextLink href={paths.credit(workspace, { month: receipt.settled_at.slice(0, 7) })}>
          that month's statement
        </TextLink>
      ),
    },
    {
      term: 'Request id',
      value: <Copied text={receipt.request_id} label="Copy id of this request" className="text-meta" />,
    },
    ...(receipt.client_request_id === null
      ? []
      : [
          {
            term: "Caller's own id",
            value: <Copied text={receipt.client_request_id} label="Copy the caller's own id" className="text-meta" />,
          },
        ]),
    ...otherFacts(receipt, PLACED satisfies readonly (keyof ReceiptJson)[]).map(otherDefinition),
  ];
}

/** What a receipt says first: "Completed in 1.24 s and charged $0.004208." */
function receiptSentence(receipt: ReceiptJson): string {
  const { outcome, duration_ms: ms, charge_nano_usd: charge } = receipt;
  const took = formatDuration(ms);
  const charged = charge === '0' ? 'charged nothing' : `charged ${formatMoneyExactly(charge)}`;
  return {
    completed: `Completed in ${took} and ${charged}.`,
    interrupted: `Broke off after ${took} and ${charged}, for what had arrived.`,
    abandoned: `Left by its caller after ${took} and ${charged}, for what the model had done.`,
    failed: `Failed after ${took} and ${charged}.`,
  }[outcome];
}

/** What else there is to know about it, a sentence each. */
function receiptNotes(receipt: ReceiptJson): readonly string[] {
  const { usage, corrections, net_charge_nano_usd: net, shortened_to_tokens: cap, left_out: leftOut } = receipt;
  const limits = receipt.levels.filter((level) => level === 'member' || level === 'end_user' || level === 'session');
  return [
    ...(corrections.length === 0 ? [] : [`Corrected since: it is charged ${formatMoneyExactly(net)}.`]),
    ...(receipt.superseded_by === null
      ? []
      : ['Another request had taken over its Idempotency-Key, so this one is charged nothing.']),
    ...(receipt.retry ? ['Sent again: the same request had failed within the minute before.'] : []),
    ...(leftOut.length === 0 ? [] : [`The provider was not sent: ${leftOut.join(', ')}.`]),
    ...(cap === null ? [] : [`Its output was capped at ${formatCount(cap)} tokens, which is what the money covered.`]),
    ...(usage.certainty === 'estimated'
      ? ['The provider did not report its usage in full: it is estimated, never above what was held.']
      : []),
    ...(limits.length === 0
      ? []
      : [`It counts for the limit of its ${limits.join(', ').replaceAll('_', ' ')}, beside those of key and project.`]),
    ...(receipt.late ? ['It was settled late, and charged no more than was left by then.'] : []),
  ];
}
