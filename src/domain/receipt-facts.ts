// What people are shown of a receipt beyond what its readers have a place for, so that a new field is seen without one.

type FactValue = string | number | true | readonly string[] | Readonly<Record<string, number>>;

/** A fact of a receipt as its JSON has it. */
export interface ReceiptFact {
  readonly name: string;
  /** The words of its name, without a unit. */
  readonly label: string;
  readonly value: FactValue;
}

const UNIT = /_(?:at|ms|usd)$/;

/** Whether there is nothing to say: null, false, an empty list, no uses. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** What a receipt in JSON says beside these fields, in its order; of an amount, the decimal of USD. */
export function otherFacts(json: object, placed: readonly string[]): readonly ReceiptFact[] {
  return Object.entries(json)
    .filter(([name, value]) => !placed.includes(name) && !name.endsWith('_nano_usd') && !saysNothing(value))
    .map(([name, value]) => ({
      name,
      label: name.replace(UNIT, '').replaceAll('_', ' '),
      value: value as FactValue,
    }));
}

/** A fact in words. */
export function factText({ name, value }: Pick<ReceiptFact, 'name' | 'value'>): string {
  if (value === true) return 'yes';
  if (typeof value !== 'object') {
    const unit = UNIT.exec(name)?.[0];
    return unit === undefined || unit === '_at' ? String(value) : `${value} ${unit === '_ms' ? 'ms' : 'USD'}`;
  }
  if (Array.isArray(value)) return (value as readonly string[]).join(', ');
  const counts = Object.entries(value as Readonly<Record<string, number>>);
  return counts.map(([counted, count]) => `${count} ${counted.replaceAll('_', ' ')}`).join(', ');
}
