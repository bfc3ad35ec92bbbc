import { amountFields } from '../../../domain/money.ts';
import type { FailingLevel, MoneyShortage } from '../../../domain/refusals.ts';
import type { Allowance } from '../../../domain/token-bucket.ts';
import type { RateState } from '../../refusals/recorded-refusal.ts';
import type { RefusalCounts } from '../../refusals/refusal-counts.ts';
import type { RefusalPage, StoredRefusal } from '../../refusals/refusal-search.ts';
import { pageJson } from '../pages.ts';
import { recordJson } from '../record-json.ts';
import { refusal, type RefusalCountsJson, type RefusalJson, type RefusalListJson } from './refusal-contract.ts';

// The JSON of refused requests in the admin API.

export function refusalListJson(page: RefusalPage): RefusalListJson {
  return { ...pageJson(page, refusalJson), unrecorded: page.unrecorded };
}

export function refusalCountsJson(counts: RefusalCounts): RefusalCountsJson {
  return {
    data: counts.hours.map(({ hour, ...counted }) => ({ hour: hour.toISOString(), ...counted })),
    workspaces: [...counts.workspaces],
    models: [...counts.models],
    counted_from: counts.countedFrom?.toISOString() ?? null,
    unrecorded: counts.unrecorded,
  };
}

export function refusalJson(stored: StoredRefusal): RefusalJson {
  const { shortage, rate } = stored;
  return recordJson(refusal, {
    ...stored,
    refusedAt: new Date(stored.atMs),
    shortage: shortage === null ? null : shortageJson(shortage),
    rateLimit: rate === null ? null : rateJson(rate),
  });
}

function shortageJson({ needed, transient, maxTokensThatFit, fix, levels }: MoneyShortage): RefusalJson['shortage'] {
  return {
    ...amountFields('needed', needed),
    transient,
    max_tokens_that_fit: maxTokensThatFit,
    fix,
    levels: levels.map(levelJson),
  };
}

function levelJson({ level, code, limit, used, held, resetsAtMs }: FailingLevel) {
  return {
    level,
    code,
    ...amountFields('limit', limit),
    ...amountFields('used', used),
    ...amountFields('held', held),
    ...amountFields('left', limit - used - held),
    resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
  };
}

function rateJson({ limit, most, requests, tokens }: RateState): RefusalJson['rate_limit'] {
  return { limit, most, requests: allowanceJson(requests), tokens: allowanceJson(tokens) };
}

function allowanceJson(allowance: Allowance | null) {
  if (allowance === null) return null;
  const { limit, remaining, resetMs } = allowance;
  return { limit, remaining, reset_ms: resetMs };
}
