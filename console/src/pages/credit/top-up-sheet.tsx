import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TopUpJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { topUpQuery } from '../../api/credit.ts';
import { Loaded } from '../../components/loaded.tsx';
import { failureWords, topUpName, TopUpState } from '../../components/top-up-state.tsx';
import { formatMoney } from '../../format/money.ts';
import { TopUpRefund } from '../../forms/top-up-refund.tsx';
import { useMe, useMovedAway } from '../../session/access.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Copied } from '../../ui/copied.tsx';
import { type Definition, type DefinitionItems, DefinitionList } from '../../ui/definition-list.tsx';
import { Money } from '../../ui/money.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

interface TopUpSheetProps {
  readonly workspace: string;
  readonly topUp: string;
  readonly onClose: () => void;
}

/** One top-up in a sheet next to the statement. */
export function TopUpSheet({ workspace, topUp: id, onClose }: TopUpSheetProps): ReactNode {
  const query = useQuery(topUpQuery(workspace, id));
  const topUp = query.data;
  const { user } = useMe();
  const [isRefunding, setIsRefunding] = useState(false);
  const mayRefund = useMovedAway(workspace) === null && user.is_operator;
  const canRefund = topUp !== undefined && topUp.state === 'paid' && topUp.provider !== 'codes' && mayRefund;
  return (
    <Sheet
      open
      title={topUp === undefined ? 'Top-up' : topUpName(topUp)}
      description={topUp && sentenceOf(topUp)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {canRefund && (
            <Button kind="danger" onClick={() => setIsRefunding(true)}>
              Refund payment
            </Button>
          )}
          {topUp?.checkout_url && (
            <a href={topUp.checkout_url} className={buttonClass('primary')}>
              Continue to payment
            </a>
          )}
        </>
      }
    >
      <Loaded query={query} room="w-full">
        {(loaded) => <DefinitionList items={factsOf(loaded)} />}
      </Loaded>
      {isRefunding && topUp !== undefined && <TopUpRefund topUp={topUp} onClose={() => setIsRefunding(false)} />}
    </Sheet>
  );
}

/** What has become of a top-up. */
function sentenceOf({ state, failure, ...topUp }: TopUpJson): string {
  const credit = formatMoney(topUp.amount_nano_usd);
  if (state === 'paid') return `${credit} of credit was added.`;
  if (state === 'processing') return `The payment is under way. ${credit} of credit is added when the money arrives.`;
  if (state === 'expired') return 'Its payment page has expired. Nothing was charged.';
  if (state === 'failed') return `${failureWords(failure)} No credit was added.`;
  return `Nothing is charged yet. ${credit} of credit is added when it is paid.`;
}

function factsOf(topUp: TopUpJson): DefinitionItems {
  const amount = (term: string, nano: string): Definition => ({ term, value: <Money amount={nano} /> });
  return [
    { term: 'Status', value: <TopUpState topUp={topUp} /> },
    amount('Credit', topUp.amount_nano_usd),
    amount('Fee', topUp.fee_nano_usd),
    topUp.tax_nano_usd !== '0' && amount('Tax', topUp.tax_nano_usd),
    amount('Total', topUp.total_nano_usd),
    ...(topUp.refunded_nano_usd === '0' ? [] : [amount('Refunded', topUp.refunded_nano_usd)]),
    ...(topUp.disputed_nano_usd === '0' ? [] : [amount('Disputed', topUp.disputed_nano_usd)]),
    { term: 'By', value: topUp.actor },
    { term: 'Created', value: <Timestamp at={topUp.created_at} /> },
    ...(topUp.state === 'pending'
      ? [{ term: 'Can be paid until', value: <Timestamp at={topUp.expires_at} none="its page is opened" /> }]
      : [{ term: 'Changed', value: <Timestamp at={topUp.updated_at} /> }]),
    topUp.payment !== null && { term: 'Payment', value: <Copied text={topUp.payment} label="Copy payment id" /> },
    topUp.posting_id !== null && { term: 'Posting', value: <Copied text={topUp.posting_id} label="Copy posting id" /> },
    { term: 'Id', value: <Copied text={topUp.id} label="Copy top-up id" /> },
  ];
}
