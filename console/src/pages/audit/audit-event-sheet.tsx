import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEventJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { auditEventQuery } from '../../api/audit.ts';
import { actionWords, differences, targetHref } from '../../components/audit-words.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Copied } from '../../ui/copied.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { commandWords } from '../../components/command-words.ts';
import { AUDIT_COMMANDS } from '../../../../src/control/operations/access-commands.ts';

interface AuditEventSheetProps {
  readonly workspace: string;
  readonly event: string;
  readonly onClose: () => void;
}

/** One change: who made it, from where, and each field as it was and as it is. */
export function AuditEventSheet({ workspace, event: id, onClose }: AuditEventSheetProps): ReactNode {
  const query = useQuery(auditEventQuery(workspace, id));
  if (query.data !== undefined) return <LoadedSheet workspace={workspace} event={query.data} onClose={onClose} />;
  return (
    <Sheet open title="Change" onClose={onClose}>
      <Loaded query={query} room="w-60" />
    </Sheet>
  );
}

const ACTOR_WORDS = {
  operator: 'operator token',
  session: 'in a browser',
  access_token: 'by an access token',
  job: 'scheduled job',
} as const;

function LoadedSheet({
  workspace,
  event,
  onClose,
}: Omit<AuditEventSheetProps, 'event'> & { readonly event: AuditEventJson }): ReactNode {
  const { action, target, actor, address, request_id: requestId } = event;
  const href = targetHref(workspace, event);
  return (
    <Sheet open title={actionWords(action)} description={target.name ?? target.id} onClose={onClose}>
      <DefinitionList
        items={[
          { term: 'When', value: <Timestamp at={event.at} /> },
          { term: 'By', value: `${actor.name}, ${ACTOR_WORDS[actor.kind]}` },
          { term: 'From address', value: address ?? 'none' },
          { term: 'Request', value: requestId === null ? 'none' : <Copied text={requestId} label="Copy request id" /> },
          { term: 'Hash', value: <Copied text={event.chain_sha256} label="Copy hash" /> },
          { term: `Id of the ${target.kind.replaceAll('_', ' ')}`, value: <Copied text={target.id} label="Copy id" /> },
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        {href !== null && (
          <a href={href} className={buttonClass()}>
            Go to {target.kind.replaceAll('_', ' ')}
          </a>
        )}
        <a href={paths.audit(workspace, { target: target.id })} className={buttonClass()}>
          Its other changes
        </a>
      </div>
      <div className="mt-8">
        <Section title="Fields">
          <Differences event={event} />
        </Section>
      </div>
      <div className="mt-8">
        <Section title="As JSON">
          <CodeBlock label="change as JSON" code={JSON.stringify(event, null, 2)} />
          <CommandLine
            className="mt-4"
            command={commandWords(AUDIT_COMMANDS, 'audit show', { workspace, event: event.id })}
          />
        </Section>
      </div>
    </Sheet>
  );
}

function Differences({ event }: { readonly event: AuditEventJson }): ReactNode {
  const changed = differences(event);
  if (changed.length === 0) return <p className="text-control text-text-2">The change names no fields.</p>;
  return (
    <table className="w-full text-left text-control">
      <thead className="text-meta text-text-3">
        <tr>
          <th className="py-1 pr-4 font-medium">Field</th>
          <th className="py-1 pr-4 font-medium">Before</th>
          <th className="py-1 font-medium">After</th>
        </tr>
      </thead>
      <tbody className="align-top [&>tr]:border-t [&>tr]:border-line">
        {changed.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row" className="py-1.5 pr-4 font-normal text-text-2">
              {field.replace(/_nano_usd$/, '').replaceAll('_', ' ')}
            </th>
            <td className="py-1.5 pr-4 text-text-2 wrap-anywhere">
              <FieldValue field={field} value={before} />
            </td>
            <td className="py-1.5 font-medium wrap-anywhere">
              <FieldValue field={field} value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value as the log has it; undefined is no value at all. */
function FieldValue({ field, value }: { readonly field: string; readonly value: unknown }): ReactNode {
  if (value === undefined) return <span className="text-text-3">–</span>;
  if (value === null) return <span className="text-text-3">none</span>;
  if (field.endsWith('_nano_usd') && typeof value === 'string' && /^-?\d+$/.test(value))
    return <Money exact amount={value} />;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
