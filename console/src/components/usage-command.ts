import type { UsageQuestion } from '../api/usage.ts';

/** The command that adds up the same usage. */
export function usageCommand(workspace: string, question: UsageQuestion): readonly string[] {
  const { group_by: by = 'model', from, to, project, key, model } = question;
  const options = { since: from, until: to, project, key, model };
  return [
    'usage',
    workspace,
    '--by',
    by,
    ...Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ];
}
