// The parts of JSON Schema that providers enforce. Everything else of a schema goes into descriptions for the model,
// and is validated here; a schema with keywords that can't be described isn't sent as one.

/** How one provider's structured output differs from JSON Schema. */
export interface ProviderRules {
  /** Assertions that the provider enforces, as they are. */
  readonly enforced: ReadonlySet<string>;
  /** The values of `format` that it knows. */
  readonly formats: ReadonlySet<string>;
  /** Whether it takes objects whose properties may be left out. */
  readonly takesOptional: boolean;
  /** Whether it takes objects with properties that aren't named, which a schema of their own describes. */
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
 * Providers whose structured output takes a part of JSON Schema only, and whose upstreams send schemas as they get
 * them.
 */
export type SchemaProvider = keyof typeof PROVIDER_RULES;
