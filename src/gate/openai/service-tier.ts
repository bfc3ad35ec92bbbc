import { type BodyFault, fieldFault } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';

// The service tier in a request's body, in the words of OpenAI and of Anthropic.

/** A tier that a body names; null if the provider chooses one. */
export type NamedTier = 'standard' | 'flex' | 'priority' | 'fast' | null;

/** More bytes than the name of any tier. */
const NAME_BYTES_MAX = 64;

const OF_OPENAI: ReadonlyMap<unknown, NamedTier> = new Map<unknown, NamedTier>([
  [null, null],
  ['auto', null],
  ['default', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
]);

const OF_ANTHROPIC: ReadonlyMap<unknown, NamedTier> = new Map<unknown, NamedTier>([
  [null, null],
  ['auto', null],
  ['standard_only', 'standard'],
]);

const SPEEDS: ReadonlyMap<unknown, NamedTier> = new Map<unknown, NamedTier>([
  [null, null],
  ['standard', null],
  ['fast', 'fast'],
]);

/** Reads `service_tier` of OpenAI's APIs. */
export function readServiceTier(scan: JsonScan, name: string): NamedTier | BodyFault {
  return readName(scan, name, OF_OPENAI);
}

/** Reads `service_tier` of messages. */
export function readMessagesTier(scan: JsonScan, name: string): NamedTier | BodyFault {
  return readName(scan, name, OF_ANTHROPIC);
}

/** Reads `speed` of messages. */
export function readSpeed(scan: JsonScan, name: string): NamedTier | BodyFault {
  return readName(scan, name, SPEEDS);
}

function readName(scan: JsonScan, name: string, known: ReadonlyMap<unknown, NamedTier>): NamedTier | BodyFault {
  const kind = scan.kind();
  const isName = (kind === 'string' || kind === 'null') && !scan.exceeds(NAME_BYTES_MAX);
  const tier = isName ? known.get(scan.parsed()) : undefined;
  if (tier !== undefined) return tier;
  const names = [...known.keys()].filter((each) => each !== null).map((each) => JSON.stringify(each));
  return fieldFault(name, `'${name}' can only be ${names.join(' or ')} here.`);
}
