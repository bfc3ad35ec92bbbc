import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_PROVIDERS } from '../src/config/known-providers.ts';
import { readPriceMap } from '../src/config/price-map/price-map.ts';

// Writes src/config/price-map/known-prices.json, from which `faregate init` proposes prices, out of the price map in a
// release of LiteLLM: node tools/known-prices.ts model_prices_and_context_window_backup.json VERSION

const [file = '', version = ''] = process.argv.slice(2);
const OUTPUT = join(import.meta.dirname, '../src/config/price-map/known-prices.json');
/** Vendors that sell hundreds of models of others, most of them to nobody. */
const TOO_MANY = ['fireworks_ai', 'openrouter'];
const FINE_TUNED = /^ft:/;

const vendors = KNOWN_PROVIDERS.map(({ vendor }) => vendor).filter((vendor) => !TOO_MANY.includes(vendor));
const entries = (readPriceMap(readFileSync(file, 'utf8')) ?? []).flatMap((entry) => (entry.ok ? [entry.model] : []));
const models = vendors.flatMap((vendor) => {
  const own = entries.filter((entry) => entry.vendor === vendor && !FINE_TUNED.test(entry.upstreamModel));
  const once = new Map(own.toReversed().map((entry) => [entry.upstreamModel, entry]));
  return [...once.values()].toReversed().map((entry) => ({ ...entry, id: entry.upstreamModel }));
});
const lines = models.map((model) => `    ${JSON.stringify(model)}`).join(',\n');
const date = new Date().toISOString().slice(0, 10);
writeFileSync(OUTPUT, `{\n  "source": "LiteLLM ${version}",\n  "date": "${date}",\n  "models": [\n${lines}\n  ]\n}\n`);
console.log(`${models.length} models of ${vendors.length} vendors`);
