import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { INPUT_CLASSES, OUTPUT_CLASSES, type TokenClass } from '../../../src/domain/usage.ts';
import { formatCount } from '../format/count.ts';

/** All tokens that went in, and all that came out. */
export function TokenFlow({ tokens }: { readonly tokens: Readonly<Record<string, number>> }): ReactNode {
  const sum = (classes: readonly TokenClass[]): string =>
    formatCount(classes.reduce((total, tokenClass) => total + (tokens[tokenClass] ?? 0), 0));
  return (
    <span className="inline-flex items-center gap-1.5">
      {sum(INPUT_CLASSES)}
      <ArrowRight size={12} strokeWidth={1.5} aria-hidden="true" className="text-text-3" />
      <span className="sr-only">to</span>
      {sum(OUTPUT_CLASSES)}
    </span>
  );
}
