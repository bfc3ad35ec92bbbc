import type { SqlRunner } from '../../lib/sql.ts';

interface GivenUp {
  readonly channel: 'mail' | 'webhook';
  readonly count: bigint;
  readonly lastError: string;
}

const NAMES = { mail: ['mail', 'mails'], webhook: ['webhook delivery', 'webhook deliveries'] } as const;

/** What was given up within a week, a sentence for mails and one for webhooks. */
export async function findOutboxProblems(sql: SqlRunner): Promise<readonly string[]> {
  const rows = await sql.query<GivenUp>(
    `select channel, count(*) as count, (array_agg(last_error order by finished_at desc))[1] as "lastError" from (
       select channel, finished_at, coalesce(last_error, '') as last_error from notices
       where state = 'given_up' and finished_at > now() - interval '7 days'
     ) n group by channel order by channel`,
  );
  return rows.map(({ channel, count, lastError }) => {
    const [one, many] = NAMES[channel];
    const what = count === 1n ? `1 ${one} was` : `${count} ${many} were`;
    return `${what} given up within a week, the last one because: ${lastError}.`;
  });
}
