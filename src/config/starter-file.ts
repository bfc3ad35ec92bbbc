import { Document, isMap, isSeq } from 'yaml';
import { formatPercent } from '../domain/price-adjustment.ts';
import { costedEntry } from './price-map/model-entries.ts';
import type { MapModel } from './price-map/price-map.ts';

// The text of a first config file: one provider, and some of its models with their cost and a mark-up.

export interface Starter {
  readonly provider: string;
  /** The provider's section. */
  readonly section: Readonly<Record<string, string>>;
  readonly models: readonly MapModel[];
  /** What callers pay above the cost, in hundredths of a percent. */
  readonly markUp: number;
  /** Lines for those who read the file, without their `#`. */
  readonly comment: string;
}

/** The config file's text. */
export function starterFile({ provider, section, models, markUp, comment }: Starter): string {
  const entries = models.map((model) => ({
    ...costedEntry(model, provider),
    markup: `${formatPercent(markUp)}%`,
  }));
  const document = new Document({ providers: { [provider]: section }, models: entries });
  document.commentBefore = comment.replace(/^/gm, ' ');
  const list = document.get('models');
  if (isSeq(list)) {
    for (const entry of list.items) {
      if (!isMap(entry)) continue;
      const routes = entry.get('routes');
      if (isSeq(routes)) routes.flow = true;
    }
  }
  return document.toString({ lineWidth: 0 });
}
