import { addMonths, startOf } from '../../format/day.ts';

/** The bounds of a month for the API. */
export function monthAsTime(month: string): { readonly from: string; readonly to: string } {
  const start = (of: string): string => startOf(`${of}-01`).toISOString();
  return { from: start(month), to: start(addMonths(month, 1)) };
}
