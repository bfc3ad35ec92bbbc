// Costs of a request in addition to its tokens: a fee for the request itself, which some providers bill as several, and one
// for each use of a tool that the provider runs. The names are the gateway's; each dialect maps those of its API.

/** Tools whose uses providers report one by one. */
export const HOSTED_TOOLS = [
  'web_search',
  'web_fetch',
  'code_interpreter',
  'image_generation',
  'computer',
  'mcp',
] as const;

export type HostedTool = (typeof HOSTED_TOOLS)[number];

export const USE_CLASSES = ['request', ...HOSTED_TOOLS] as const;

export type UseClass = (typeof USE_CLASSES)[number];

/** Whole, positive numbers of uses; a class that was not used is absent. */
export type Uses = Readonly<Partial<Record<UseClass, number>>>;

/** Whole, positive numbers of uses of tools only. */
export type ToolUses = Readonly<Partial<Record<HostedTool, number>>>;

/** No request, and no answer, has more uses of a tool: a larger number is a fault. */
export const USES_MAX = 10_000;

export const NO_USES: ToolUses = Object.freeze({});

/** Counts one more use, up to the most that an answer has. */
export function addUse(uses: Partial<Record<HostedTool, number>>, tool: HostedTool): void {
  uses[tool] = Math.min((uses[tool] ?? 0) + 1, USES_MAX);
}

export function sumUses(uses: ToolUses, more: ToolUses): ToolUses {
  const sum = { ...uses };
  for (const tool of HOSTED_TOOLS) {
    const added = more[tool] ?? 0;
    if (added > 0) sum[tool] = (sum[tool] ?? 0) + added;
  }
  return sum;
}

/** Bounds the uses of the tools that a request offers. */
export interface UsesBound {
  readonly each: ToolUses;
  /** The most uses of all of them together. */
  readonly total: number;
}

/**
 * The highest sum over any uses within the bound, with this weight per use of each tool: the heaviest tool is used up
 * to its bound, then the next.
 */
export function heaviestUses({ each, total }: UsesBound, weightOf: (tool: HostedTool) => bigint): bigint {
  const weighed = HOSTED_TOOLS.filter((tool) => (each[tool] ?? 0) > 0)
    .map((tool) => ({ most: each[tool] ?? 0, weight: weightOf(tool) }))
    .toSorted((one, other) => (one.weight > other.weight ? -1 : 1));
  let [left, sum] = [total, 0n];
  for (const { most, weight } of weighed) {
    const uses = Math.min(most, left);
    sum += BigInt(uses) * weight;
    left -= uses;
  }
  return sum;
}
