import type { ProjectUpdate } from '../../../src/control/admin/accounts/account-contract.ts';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { newSettingOptions, settingOptions } from './setting-options.ts';

/** The commands of projects. */
export const projectCommand = {
  create: (workspace: string, { name = '', ...settings }: ProjectUpdate) => [
    'project',
    'create',
    workspace,
    name === '' ? 'NAME' : name,
    ...newSettingOptions(PROJECT_SETTINGS, settings),
  ],
  update: (id: string, { name, ...settings }: ProjectUpdate) => [
    'project',
    'update',
    id,
    ...(name === undefined ? [] : ['--name', name]),
    ...settingOptions(PROJECT_SETTINGS, settings),
  ],
  archive: (id: string) => ['project', 'archive', id],
  restore: (workspace: string, id: string) => ['project', 'restore', workspace, id],
};
