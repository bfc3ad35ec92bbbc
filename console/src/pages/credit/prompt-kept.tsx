import { type ReactNode, useState } from 'react';
import { useMe } from '../../session/access.ts';
import { wayBackToPrompt } from '../../session/prompt-draft.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { Banner } from '../../ui/banner.tsx';

/** The way back to the playground after a request was refused for want of credit. */
export function PromptKept({ workspace }: { readonly workspace: string }): ReactNode {
  const { user } = useMe();
  const [wayBack] = useState(() => wayBackToPrompt(user.id, workspace));
  if (wayBack === null) return null;
  return (
    <Banner tone="info" action={<ActionLink href={wayBack}>Back to the playground</ActionLink>}>
      Your prompt waits in the playground, as you left it in this tab.
    </Banner>
  );
}
