import type { ReactNode } from 'react';

/** Charts have as many colours. */
const COLORS = 8;

/** A stable colour for a name. Two names may have the same: it only helps to find one again. */
function colorOf(name: string): string {
  let sum = 0;
  for (let index = 0; index < name.length; index += 1) sum = (sum * 29 + name.charCodeAt(index)) % 65_521;
  return `var(--series-${(sum % COLORS) + 1})`;
}

/** The beginning of a name on its colour, in front of the name: only drawn, so that nothing reads or copies it twice. */
export function Initials({ of: name }: { readonly of: string }): ReactNode {
  const [letters = ''] = /^.{1,2}/u.exec(name.replace(/[^\p{L}\p{N}]/gu, '')) ?? [];
  return (
    <span
      aria-hidden="true"
      data-initials={letters}
      className="mr-2 inline-flex size-5 shrink-0 items-center justify-center rounded-control align-middle font-sans text-[10px] leading-none font-semibold text-text capitalize before:content-[attr(data-initials)]"
      style={{ backgroundColor: `color-mix(in oklch, ${colorOf(name)} 24%, var(--surface))` }}
    />
  );
}
