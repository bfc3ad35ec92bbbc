import type { RefusalChoice } from '../../../src/control/admin/requests/refusal-contract.ts';
import type { ReceiptFilter, RefusalFilter } from '../api/requests.ts';

// The commands that list and show requests.

const RECEIPT_OPTIONS = [
  ['--outcome', 'outcome'],
  ['--model', 'model'],
  ['--key', 'key'],
  ['--project', 'project'],
  ['--dialect', 'dialect'],
  ['--session', 'session'],
  ['--min-charge', 'min_charge_usd'],
] as const satisfies readonly (readonly [string, keyof ReceiptFilter])[];

const REFUSAL_OPTIONS = [
  ['--code', 'code'],
  ['--model', 'model'],
  ['--key', 'key'],
  ['--project', 'project'],
] as const satisfies readonly (readonly [string, keyof RefusalFilter])[];

const CHOICE_OPTIONS = [
  ['--code', 'code'],
  ['--model', 'model'],
  ['--status', 'status'],
  ['--since', 'from'],
  ['--until', 'to'],
] as const satisfies readonly (readonly [string, keyof RefusalChoice])[];

function optionsFor<Filter>(filter: Filter, options: readonly (readonly [string, keyof Filter])[]): readonly string[] {
  return options.flatMap(([option, field]) => {
    const value = filter[field];
    return value === undefined ? [] : [option, String(value)];
  });
}

export const requestCommand = {
  /** With a range, the command's time moves on as the page's does. */
  served: (
    workspace: string,
    { range, since }: { readonly range?: string | undefined; readonly since?: string | undefined },
    { from, to, ...filter }: ReceiptFilter,
  ) => [
    'requests',
    workspace,
    ...optionsFor(filter, RECEIPT_OPTIONS),
    ...(from === undefined ? [] : ['--since', range !== undefined && since === undefined ? range : from]),
    ...(to === undefined ? [] : ['--until', to]),
  ],
  refused: (workspace: string, filter: RefusalFilter) => [
    'requests',
    workspace,
    '--refused',
    ...optionsFor(filter, REFUSAL_OPTIONS),
  ],
  /** Of all workspaces, or of the one that is chosen. */
  refusedOfAll: ({ workspace, ...choice }: RefusalChoice) => [
    'requests',
    ...(workspace === undefined ? ['--refused', '--all'] : [workspace, '--refused']),
    ...optionsFor(choice, CHOICE_OPTIONS),
  ],
  show: (request: string) => ['receipt', request],
};
