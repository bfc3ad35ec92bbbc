import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, for screen readers and as the name of its copy button: "curl command". */
  readonly label: string;
  /** Long lines are broken rather than scrolled, as for a secret. */
  readonly wrap?: boolean | undefined;
}

export function CodeBlock({ code, label, wrap = false }: CodeBlockProps): ReactNode {
  return (
    <div className="relative rounded-control bg-sunken">
      <section
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, and keys have to get there
        tabIndex={0}
        className={`max-h-96 overflow-auto rounded-control py-2.5 pr-12 pl-3 -outline-offset-2 ${wrap ? '' : 'max-sm:pt-10'}`}
      >
        <pre className={`font-mono text-meta leading-5 ${wrap ? 'wrap-anywhere whitespace-pre-wrap' : ''}`}>
          <code>{code}</code>
        </pre>
      </section>
      {/* Lines that are longer scroll under it. */}
      <span className="absolute top-2 right-2 rounded-control bg-sunken max-sm:top-0 max-sm:right-0">
        <CopyButton text={code} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
