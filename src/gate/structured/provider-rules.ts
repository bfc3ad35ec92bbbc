// The parts of JSON Schema that providers enforce. The rest of a schema is put into descriptions for the model and
// validated by the gateway; a schema with keywords that can't be described isn't sent as a schema.

/** How one provider's structured output differs from JSON Schema. */
export interface ProviderRules {
  /** Assertions that the provider enforces unchanged. */
  readonly enforced: ReadonlySet<string>;
  /** The values of `format` that it supports. */
  readonly formats: ReadonlySet<string>;
  /** Whether it supports objects with optional properties. */
  readonly takesOptional: boolean;
  /** Whether it supports objects with unnamed properties, described by a schema of their own. */
  readonly takesMaps: boolean;
  readonly takesRecursion: boolean;
  /** Levels of objects and arrays; properties; values of all enumerations together. */
  readonly depthMax: number;
  readonly propertiesMax: number;
  readonly enumValuesMax: number;
}

const TIMES = ['date-time', 'time', 'date', 'duration'];
const ADDRESSES = ['email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/** OpenAI's strict mode. */
const OPENAI: ProviderRules = {
  enforced: new Set([
    'pattern',
    'multipleOf',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'minItems',
    'maxItems',
  ]),
  formats: new Set([...TIMES, ...ADDRESSES]),
  takesOptional: false,
  takesMaps: false,
  takesRecursion: true,
  depthMax: 10,
  propertiesMax: 5_000,
  enumValuesMax: 1_000,
};

/** Gemini's `responseJsonSchema`. */
const GEMINI: ProviderRules = {
  enforced: new Set(['minimum', 'maximum', 'minItems', 'maxItems']),
  formats: new Set(['date-time', 'date', 'time']),
  takesOptional: true,
  takesMaps: true,
  takesRecursion: false,
  depthMax: 32,
  propertiesMax: 1_000,
  enumValuesMax: 1_000,
};

export const PROVIDER_RULES = { openai: OPENAI, gemini: GEMINI } as const;

/**
 * Providers whose structured output supports only a part of JSON Schema, and whose upstreams send schemas unchanged.
 */
export type SchemaProvider = keyof typeof PROVIDER_RULES;
