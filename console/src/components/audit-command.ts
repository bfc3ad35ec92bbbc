import type { AuditFilter } from '../api/audit.ts';

// The commands of the audit log.

const OPTIONS = [
  ['--action', 'action'],
  ['--target', 'target'],
  ['--user', 'user'],
  ['--since', 'from'],
  ['--until', 'to'],
] as const satisfies readonly (readonly [string, keyof AuditFilter])[];

const optionsFor = (filter: AuditFilter): readonly string[] =>
  OPTIONS.flatMap(([option, field]) => {
    const value = filter[field];
    return value === undefined ? [] : [option, value];
  });

export const auditCommand = {
  list: (workspace: string, filter: AuditFilter) => ['audit', 'list', workspace, ...optionsFor(filter)],
  export: (workspace: string, filter: AuditFilter) => ['audit', 'export', workspace, ...optionsFor(filter)],
  show: (workspace: string, event: string) => ['audit', 'show', workspace, event],
};
