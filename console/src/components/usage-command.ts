import type { UsageQuestion } from '../api/usage.ts';

/** A whole hour as one would type it: a day without its first hour. */
const typed = (time: string | undefined): string | undefined =>
  time?.replace('T00:00:00.000Z', '').replace(':00.000Z', 'Z');

/** The command that adds up the same usage. */
export function usageCommand(workspace: string, question: UsageQuestion): readonly string[] {
  const { group_by: groupBy, and_by: andBy, bucket, compare, from, to, project, key, model } = question;
  const by = groupBy ?? (bucket === 'day' ? 'day' : 'model');
  const options = { since: typed(from), until: typed(to), project, key, model };
  return [
    'usage',
    workspace,
    '--by',
    by,
    ...(andBy === undefined ? [] : ['--and-by', andBy]),
    ...(bucket === undefined || by === 'day' ? [] : ['--bucket', bucket]),
    ...(compare === 'true' ? ['--compare'] : []),
    ...Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ];
}
