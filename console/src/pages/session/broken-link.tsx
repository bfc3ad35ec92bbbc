import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { SessionFrame } from './session-frame.tsx';

/** Shown for a link without its secret. */
export function BrokenLink({ title }: { readonly title: string }): ReactNode {
  return (
    <SessionFrame title={title} lead="This link is incomplete. Open it again with everything that follows the #.">
      <a href={paths.signIn()} className={buttonClass()}>
        Go to sign-in
      </a>
    </SessionFrame>
  );
}
