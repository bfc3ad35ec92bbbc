import type { ReactNode } from 'react';
import type { Declaration } from '../api/offer.ts';
import { readMoney } from '../format/money-entry.ts';
import { MoneyField, TextField } from './text-field.tsx';

/** What is typed about a model whose cost and limits no list has. */
export interface CostEntry {
  readonly input: string;
  readonly output: string;
  readonly contextWindow: string;
  readonly maxOutput: string;
}

export const NO_COST: CostEntry = { input: '', output: '', contextWindow: '', maxOutput: '' };

/** The model at a provider, as the config file would declare it without a price; null while something is missing. */
export function declaredBy(provider: string, model: string, entry: CostEntry): Declaration | null {
  const [input, output] = [readMoney(entry.input), readMoney(entry.output)];
  const [contextWindow, maxOutput] = [Number(entry.contextWindow), Number(entry.maxOutput)];
  if (!input.ok || !output.ok || contextWindow < 1 || maxOutput < 1) return null;
  const cost = { input: input.usd, output: output.usd };
  return { routes: [{ provider, model, cost }], context_window: contextWindow, max_output: maxOutput };
}

interface ModelCostFieldsProps {
  readonly model: string;
  readonly entry: CostEntry;
  readonly onChange: (entry: CostEntry) => void;
}

/** What the provider asks for a model, and its limits, typed by hand. */
export function ModelCostFields({ model, entry, onChange }: ModelCostFieldsProps): ReactNode {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-control font-medium wrap-anywhere">{`What ${model} costs you`}</legend>
      <div className="grid grid-cols-2 gap-3">
        <MoneyField
          param={`input ${model}`}
          label="A million input tokens"
          value={entry.input}
          onChange={(input) => onChange({ ...entry, input })}
        />
        <MoneyField
          param={`output ${model}`}
          label="A million output tokens"
          value={entry.output}
          onChange={(output) => onChange({ ...entry, output })}
        />
        <TextField
          param={`context ${model}`}
          label="Context window"
          help="In tokens."
          type="number"
          min={1}
          value={entry.contextWindow}
          onChange={(contextWindow) => onChange({ ...entry, contextWindow })}
        />
        <TextField
          param={`max output ${model}`}
          label="Max output"
          help="In tokens."
          type="number"
          min={1}
          value={entry.maxOutput}
          onChange={(maxOutput) => onChange({ ...entry, maxOutput })}
        />
      </div>
    </fieldset>
  );
}
