import type { ReactNode } from 'react';
import type { Permission } from '../../../src/domain/roles.ts';
import { useMe, whyNot } from '../session/access.ts';
import { ActionLink } from '../ui/action-link.tsx';
import { StatusWord } from '../ui/status-word.tsx';
import { useLimitUnavailable } from './key-rights.ts';

/** The one thing to do about something: an address. */
export interface AttentionAction {
  readonly label: string;
  readonly href: string;
  /** The right that it takes, and the words after "can" in the sentence about who has it. */
  readonly needs?: { readonly permission: Permission; readonly can: string };
  /** The key whose limit it raises: not everybody may, and not every key's. */
  readonly raises?: string;
}

/** Something that needs a person's attention. */
export interface AttentionItem {
  readonly id: string;
  readonly tone: 'warn' | 'danger';
  readonly text: string;
  /** What stands below, such as since when. */
  readonly detail?: ReactNode;
  readonly action: AttentionAction;
}

interface AttentionItemsProps {
  /** The name of the list. */
  readonly label: string;
  /** Whose members look at it; null: operators. */
  readonly workspace: string | null;
  readonly items: readonly AttentionItem[];
}

/** What needs attention, each with the one action that helps. */
export function AttentionItems({ label, workspace, items }: AttentionItemsProps): ReactNode {
  return (
    <ul aria-label={label} className="flex flex-col">
      {items.map(({ id, tone, text, detail, action }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-2 text-control first:pt-0 last:border-0"
        >
          <span className="flex min-w-0 flex-1 basis-60 items-baseline gap-2">
            <StatusWord status={tone === 'danger' ? 'closed' : 'low'}>
              <span className="sr-only">{tone === 'danger' ? 'Urgent:' : 'Soon:'}</span>
            </StatusWord>
            <span className="min-w-0">
              <span className="wrap-anywhere">{text}</span>
              {detail && <span className="block text-meta text-text-3">{detail}</span>}
            </span>
          </span>
          <ItemAction workspace={workspace} action={action} />
        </li>
      ))}
    </ul>
  );
}

function ItemAction({
  workspace,
  action: { label, href, needs, raises },
}: Pick<AttentionItemsProps, 'workspace'> & { readonly action: AttentionAction }): ReactNode {
  const me = useMe();
  const noLimit = useLimitUnavailable(workspace ?? '', raises ?? null, null);
  const reason =
    workspace === null || needs === undefined
      ? null
      : whyNot(me, workspace, { permission: needs.permission, action: needs.can });
  return (
    <ActionLink href={href} unavailable={reason ?? noLimit}>
      {label}
    </ActionLink>
  );
}
