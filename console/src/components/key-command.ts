import type { KeyUpdate } from '../../../src/admin/accounts/account-contract.ts';

// The commands of keys. `none` clears a limit.

function optionsFor({ spend_limit_usd: limit, models, expires_at: expires, metadata }: KeyUpdate): readonly string[] {
  const notes = metadata === undefined ? [] : Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return [
    ...(limit === undefined ? [] : ['--spend-limit', limit ?? 'none']),
    ...(models === undefined ? [] : ['--models', models?.join(',') ?? 'none']),
    ...(expires === undefined ? [] : ['--expires', expires ?? 'none']),
    ...(metadata === undefined ? [] : ['--metadata', ...(notes.length === 0 ? ['none'] : notes)]),
  ];
}

export const keyCommand = {
  create: (project: string, { name = '', metadata = {}, ...settings }: KeyUpdate) => {
    const given: KeyUpdate = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
    const notes = Object.keys(metadata).length === 0 ? {} : { metadata };
    const begin = ['key', 'create', project === '' ? 'PROJECT' : project];
    return [...begin, '--name', name === '' ? 'NAME' : name, ...optionsFor({ ...given, ...notes })];
  },
  update: (id: string, { name, ...settings }: KeyUpdate) => [
    'key',
    'update',
    id,
    ...(name === undefined ? [] : ['--name', name]),
    ...optionsFor(settings),
  ],
  disable: (id: string) => ['key', 'disable', id],
  enable: (id: string) => ['key', 'enable', id],
  rotate: (id: string, overlapHours: string) => ['key', 'rotate', id, '--overlap', overlapHours],
  endFormer: (id: string) => ['key', 'end-former', id],
  revoke: (id: string) => ['key', 'revoke', id],
};
