import type { AuditEventJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { actionWords } from '../../components/audit-words.ts';
import { Cut } from '../../ui/cut.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

export const AUDIT_COLUMNS: readonly Column<AuditEventJson>[] = [
  { id: 'action', header: 'Change', cell: ({ action }) => actionWords(action) },
  { id: 'target', header: 'What was changed', cell: ({ target: { name, id } }) => name ?? id, grow: true },
  { id: 'actor', header: 'By', cell: ({ actor }) => <Cut>{actor.name}</Cut> },
  { id: 'address', header: 'Address', cell: ({ address }) => address ?? 'none', from: 'lg' },
  { id: 'at', header: 'When', align: 'end', cell: ({ at }) => <Timestamp at={at} /> },
];
