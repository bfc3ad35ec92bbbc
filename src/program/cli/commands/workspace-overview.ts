import type { AdminClient } from '../../../control/admin/client.ts';
import { pairs, plain } from '../text-layout.ts';

type Overview = Awaited<ReturnType<AdminClient['showOverview']>>;

/** What asks for attention in a workspace. */
export function overviewText(overview: Overview): string {
  const { refused, auto_top_up_stop: stop } = overview;
  const sentences = [
    ...overview.near_limits.map(
      (each) => `The ${each.kind} ${each.name} has used ${each.used_usd} of its ${each.limit_usd} USD.`,
    ),
    ...overview.expiring_keys.map((each) => `The key ${each.name} expires at ${each.expires_at}.`),
    ...overview.open_alerts.map(({ summary }) => summary),
    ...(stop === null ? [] : [`Automatic top-ups have stopped: ${stop.replaceAll('_', ' ')}.`]),
  ];
  const count = pairs([['refused in the last 24 hours', refused.recorded + refused.unrecorded]]);
  return count + sentences.map((sentence) => `${plain(sentence)}\n`).join('');
}
