import type { ProjectUpdate } from '../../../src/admin/accounts/account-contract.ts';

// The commands of projects. `none` clears a limit.

const OPTIONS = [
  ['--rpm', 'requests_per_minute'],
  ['--tpm', 'tokens_per_minute'],
  ['--concurrency', 'concurrency'],
  ['--budget', 'budget_usd'],
  ['--period', 'budget_period'],
  ['--models', 'models'],
  ['--member-key-limit', 'member_key_spend_limit_usd'],
  ['--member-keys', 'member_keys_max'],
  ['--report-cost', 'report_cost'],
] as const satisfies readonly (readonly [string, keyof ProjectUpdate])[];

function optionsFor(settings: ProjectUpdate): readonly string[] {
  return OPTIONS.flatMap(([option, field]) => {
    const value = settings[field];
    if (value === undefined) return [];
    return [option, value === null ? 'none' : Array.isArray(value) ? value.join(',') : String(value)];
  });
}

export const projectCommand = {
  create: (workspace: string, { name = '', ...settings }: ProjectUpdate) => {
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
    return ['project', 'create', workspace, name === '' ? 'NAME' : name, ...optionsFor(given)];
  },
  update: (id: string, { name, ...settings }: ProjectUpdate) => [
    'project',
    'update',
    id,
    ...(name === undefined ? [] : ['--name', name]),
    ...optionsFor(settings),
  ],
  archive: (id: string) => ['project', 'archive', id],
  restore: (workspace: string, id: string) => ['project', 'restore', workspace, id],
};
