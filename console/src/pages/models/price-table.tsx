import type { ReactNode } from 'react';
import type { ModelJson, ModelPriceJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { OUTPUT_CLASSES, TOKEN_CLASSES, type TokenClass } from '../../../../src/domain/usage.ts';
import { USE_WORDS } from '../../components/fee-words.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import { CLASS_WORDS, type PriceTierJson, rateOf, tierWords } from './price-words.ts';

const OUTPUT: ReadonlySet<TokenClass> = new Set(OUTPUT_CLASSES);

/**
 * The present price: a row for each class of tokens, a column for each length of input that has rates of its own; the same for
 * each service tier; and a row for each fee.
 */
export function PriceTable({ model }: { readonly model: ModelJson }): ReactNode {
  const classes = TOKEN_CLASSES.filter((tokenClass) => model.kind === 'chat' || !OUTPUT.has(tokenClass));
  const { tiers, service_tiers: serviceTiers, fees } = model.price;
  return (
    <div className="flex max-w-160 flex-col gap-6">
      <Table
        label={`Price of ${model.id}`}
        columns={rateColumns(model, tiers, 'A million tokens', classes)}
        rows={classes}
        rowKey={(tokenClass) => tokenClass}
        empty={null}
      />
      {serviceTiers.map((served) => (
        <Table
          key={served.tier}
          label={`Price of ${model.id} as ${served.tier}`}
          columns={rateColumns(model, served.tiers, `A million tokens as ${served.tier}`, classes)}
          rows={classes}
          rowKey={(tokenClass) => tokenClass}
          empty={null}
        />
      ))}
      {fees.length > 0 && (
        <Table
          label={`Fees of ${model.id}`}
          columns={feeColumns(fees)}
          rows={fees}
          rowKey={({ use }) => use}
          empty={null}
        />
      )}
    </div>
  );
}

function rateColumns(
  { reasoning }: ModelJson,
  tiers: readonly PriceTierJson[],
  unit: string,
  classes: readonly TokenClass[],
): readonly Column<TokenClass>[] {
  const columnOf = (tier: PriceTierJson): Column<TokenClass> => {
    const header = tierWords(tier) ?? (tiers.length > 1 ? 'Shorter inputs' : unit);
    return moneyColumn(String(tier.above_input_tokens), header, (name) => rateOf(tier, name), {
      rows: classes,
      exact: true,
    });
  };
  const wordsOf = (tokenClass: TokenClass): string =>
    tokenClass === 'output' && reasoning === true ? 'Output, reasoning included' : CLASS_WORDS[tokenClass];
  return [{ id: 'class', header: 'Tokens', grow: true, cell: wordsOf }, ...tiers.map(columnOf)];
}

function feeColumns(fees: ModelPriceJson['fees']): readonly Column<ModelPriceJson['fees'][number]>[] {
  return [
    { id: 'use', header: 'Beside tokens', grow: true, cell: ({ use }) => `Per ${USE_WORDS[use]}` },
    moneyColumn('fee', 'Fee', ({ fee_nano_usd: fee }) => fee, { rows: fees, exact: true }),
  ];
}
