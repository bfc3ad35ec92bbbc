import type { KeyUpdate } from '../../../src/control/admin/accounts/account-contract.ts';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { newSettingOptions, settingOptions } from './setting-options.ts';

/** The commands of keys. */
export const keyCommand = {
  create: (project: string, { name = '', ...settings }: KeyUpdate) => [
    'key',
    'create',
    project === '' ? 'PROJECT' : project,
    ...newSettingOptions(KEY_SETTINGS, { ...settings, name: name === '' ? 'NAME' : name }),
  ],
  update: (id: string, settings: KeyUpdate) => ['key', 'update', id, ...settingOptions(KEY_SETTINGS, settings)],
  disable: (id: string) => ['key', 'disable', id],
  enable: (id: string) => ['key', 'enable', id],
  rotate: (id: string, overlapHours: string) => ['key', 'rotate', id, '--overlap', overlapHours],
  endFormer: (id: string) => ['key', 'end-former', id],
  revoke: (id: string) => ['key', 'revoke', id],
};
