import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatMoney } from '../../format/money.ts';

/** What a receipt says first: "Completed in 1.24 s and charged $0.004208." */
export function receiptSentence(receipt: ReceiptJson): string {
  const { outcome, duration_ms: ms, charge_nano_usd: charge } = receipt;
  const took = formatDuration(ms);
  const charged = charge === '0' ? 'charged nothing' : `charged ${formatMoney(charge)}`;
  return {
    completed: `Completed in ${took} and ${charged}.`,
    interrupted: `Broke off after ${took} and ${charged}, for what had arrived.`,
    abandoned: `Left by its caller after ${took} and ${charged}, for what the model had done.`,
    failed: `Failed after ${took} and ${charged}.`,
  }[outcome];
}

/** What else there is to know about it, a sentence each. */
export function receiptNotes(receipt: ReceiptJson): readonly string[] {
  const { usage, corrections, net_charge_nano_usd: net, shortened_to_tokens: cap, left_out: leftOut } = receipt;
  return [
    ...(corrections.length === 0 ? [] : [`Corrected since: it is charged ${formatMoney(net)}.`]),
    ...(receipt.superseded_by === null
      ? []
      : ['Another request had taken over its Idempotency-Key, so this one is charged nothing.']),
    ...(receipt.retry ? ['Sent again: the same request had failed within the minute before.'] : []),
    ...(leftOut.length === 0 ? [] : [`The provider was not sent: ${leftOut.join(', ')}.`]),
    ...(cap === null ? [] : [`Its output was capped at ${formatCount(cap)} tokens, which is what the money covered.`]),
    ...(usage.certainty === 'estimated'
      ? ['The provider did not report its tokens: they are estimated, never above what was held.']
      : []),
    ...(receipt.late ? ['It was settled late, and charged no more than was left by then.'] : []),
  ];
}
