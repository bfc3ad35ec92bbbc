import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';

const NAMES = new NameTable(['type', 'ttl']);

/** The lifetimes of a cache for which a price can name a rate. */
const LIFETIMES = new NameTable(['5m', '1h']);

/** Reads a value of `cache_control`; the fault of a lifetime that has no price. `where` is called for a fault alone. */
export function readCacheControl(scan: JsonScan, where: () => string): BodyFault | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let hasLifetime = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(NAMES);
    const isMeant = name === 'ttl' || (name === undefined && scan.lookalikeIn(NAMES) === 'ttl');
    if (!isMeant || scan.kind() === 'null') {
      scan.skip();
      continue;
    }
    if (hasLifetime || name !== 'ttl') return fieldFault(where(), `'${where()}' must have one 'ttl', written so.`);
    hasLifetime = true;
    if (scan.kind() !== 'string' || scan.stringIn(LIFETIMES) === undefined) return lifetimeFault(where());
  }
  return null;
}

function lifetimeFault(where: string): BodyFault {
  const param = `${where}.ttl`;
  return fieldFault(param, `'${param}' must be 5m or 1h: other lifetimes have no price here.`);
}
