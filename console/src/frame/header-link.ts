/** What the header says of money, or of the instance. */
export const HEADER_LINK =
  'tabular flex h-8 target min-w-0 items-center gap-1.5 rounded-control px-2 text-control whitespace-nowrap no-underline hover:bg-sunken';
