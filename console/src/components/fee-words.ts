import type { ModelPriceJson } from '../../../src/control/admin/catalogue/model-contract.ts';

type UseClass = ModelPriceJson['fees'][number]['use'];

/** What has a fee, in words that stand after "per". */
export const USE_WORDS: Readonly<Record<UseClass, string>> = {
  request: 'request',
  web_search: 'web search',
  web_fetch: 'web fetch',
  code_interpreter: 'code interpreter call',
  image_generation: 'image generation',
  computer: 'computer call',
  mcp: 'MCP call',
};
