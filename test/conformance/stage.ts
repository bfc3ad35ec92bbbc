import { type Program, startProgram } from '../support/program.ts';
import { OUTPUT_MAX } from './asked.ts';
import { CALLER_FAILURES, PROVIDER_FAILURES } from './failures.ts';
import { CHAT_SCENARIOS } from './scenarios.ts';
import { EMBEDDING, type StandIn, startStandIn, STREAM_TROUBLES, twin } from './stand-in.ts';
import type { Vendor } from './vendor.ts';

// One started program that sells every scenario of every vendor: the model `azure/text` is the scenario `text` at the
// stand-in that speaks Azure's wire.

/** Nano-USD a token, so that each class of tokens shows in a charge. */
export const RATES = { input: 1_000n, cached: 100n, written: 1_250n, output: 8_000n };

const usd = (nanoPerToken: bigint): string => `"${Number(nanoPerToken) / 1_000}"`;

export interface Stage {
  readonly program: Program;
  readonly key: string;
  standIn(vendor: Vendor): StandIn;
}

function modelLines({ kind }: Vendor): readonly string[] {
  const rates =
    `input: ${usd(RATES.input)}, cached_input: ${usd(RATES.cached)}, ` +
    `cache_write_5m: ${usd(RATES.written)}, output: ${usd(RATES.output)}`;
  const failures = [...CALLER_FAILURES, ...PROVIDER_FAILURES].map(({ name }) => name);
  const names = [...CHAT_SCENARIOS.map(({ name }) => name), ...failures, ...failures.map(twin)];
  return [
    ...[...names, ...STREAM_TROUBLES].map(
      (name) =>
        `  - { id: ${kind}/${name}, routes: [{ provider: ${kind}, model: ${name} }], price: { ${rates} }, ` +
        `context_window: 200000, max_output: ${OUTPUT_MAX} }`,
    ),
    // The next route knows what the first one fails to answer.
    ...[...STREAM_TROUBLES, 'server_error'].map(
      (name) =>
        `  - { id: ${kind}/${name}/next, price: { ${rates} }, context_window: 200000, max_output: ${OUTPUT_MAX}, ` +
        `routes: [{ provider: ${kind}, model: ${name} }, { provider: ${kind}, model: text }] }`,
    ),
    `  - { id: ${kind}/${EMBEDDING}, kind: embedding, routes: [{ provider: ${kind}, model: ${EMBEDDING} }], ` +
      `price: { input: ${usd(RATES.input)} }, context_window: 8192 }`,
  ];
}

/** Starts the program and a stand-in for each vendor. The caller disposes of it. */
export async function startStage(vendors: readonly Vendor[]): Promise<Stage> {
  const standIns = new Map(
    await Promise.all(vendors.map(async (vendor) => [vendor.kind, await startStandIn(vendor)] as const)),
  );
  const standIn = (vendor: Vendor): StandIn => {
    const found = standIns.get(vendor.kind);
    if (found === undefined) throw new Error(`no stand-in for ${vendor.kind}`);
    return found;
  };
  const program = await startProgram({
    beside: [...standIns.values()],
    config: [
      'timeouts: { usage: 300ms }',
      'providers:',
      ...vendors.map((vendor) => `  ${vendor.kind}: ${vendor.providerSection(standIn(vendor).origin)}`),
      'models:',
      ...vendors.flatMap(modelLines),
    ].join('\n'),
  });
  const { key } = await program.createTenant({ credit: '10000' });
  return {
    program,
    key,
    standIn,
  };
}
