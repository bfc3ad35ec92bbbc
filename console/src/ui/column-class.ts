import type { Column } from './table-types.ts';

const FROM = { md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' } as const;

/** The classes that the header and the cells of a column have in common. */
export function columnClass<Row>({ align, from, grow }: Column<Row>): string {
  const width = grow ? 'w-full max-w-0 min-w-40 first:w-2/5' : 'whitespace-nowrap';
  const shown = from === undefined ? '' : FROM[from];
  return `${align === 'end' ? 'text-right' : 'text-left'} ${width} ${shown} px-3 first:pl-0 last:pr-0`;
}
