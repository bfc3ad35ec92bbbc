import type { Price } from './price.ts';
import type { HostedTool } from './uses.ts';

export const MODEL_KINDS = ['chat', 'embedding', 'rerank', 'moderation'] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

/** What models of each kind are called. */
export const MODEL_KIND_WORDS: Readonly<Record<ModelKind, string>> = {
  chat: 'a chat model',
  embedding: 'an embedding model',
  rerank: 'a rerank model',
  moderation: 'a moderation model',
};

/** Families of embedding models: most servers list them without their kind. */
const EMBEDDING_NAME = /embed|minilm|(^|\/)(bge|gte|e5)-/i;

/** Whether a model's id is that of a known family of embedding models. */
export function isEmbeddingName(id: string): boolean {
  return EMBEDDING_NAME.test(id);
}

/** The most tokens that one piece of media can count for. Null: unknown, so the whole context window is held. */
export interface MediaCaps {
  readonly imageTokens: number | null;
  readonly audioTokens: number | null;
  readonly fileTokens: number | null;
}

/** On which terms a tool that the provider runs may be used. Its fee is the price's. */
export interface ToolTerms {
  /** The most uses of a request that names no maximum itself. */
  readonly maxUses: number;
  /**
   * The most input tokens that one use adds: its result, and all that the model reads again for it. Null: unknown, so the
   * whole context window is held.
   */
  readonly inputTokens: number | null;
}

/** The tools that a model is sold with. */
export type SoldTools = Readonly<Partial<Record<HostedTool, ToolTerms>>>;

/** The terms on which a model is sold, fixed by a price version. */
export interface ModelTerms {
  readonly kind: ModelKind;
  readonly price: Price;
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  /** The most output tokens of one answer; 0 where models write none. */
  readonly maxOutput: number;
  readonly media: MediaCaps;
  /** Each has a fee in the price, maybe of nothing. Absent if there are none. */
  readonly tools?: SoldTools;
  /** Whether audio output is for sale: the price sets a rate for it, instead of defaulting to that of text. */
  readonly sellsAudio?: true;
}

/**
 * One way to a model: a provider's name and the model's id there. Routes are the config file's, and are tried in order.
 */
export interface Route {
  readonly provider: string;
  readonly upstreamModel: string;
  /** Its share of requests among the model's routes; absent on all of them: they are tried in order. */
  readonly weight?: number;
  /** The provider's price; absent if unknown. */
  readonly cost?: Price;
}

/** A model as callers see it: its id, the active price version and the routes. */
export interface Model {
  readonly id: string;
  readonly terms: ModelTerms;
  readonly priceVersionId: bigint;
  /** The number of its active price version, counted from 1. */
  readonly priceVersion: number;
  readonly routes: readonly Route[];
  /** Whether it is a reasoning model: if the caller leaves a stream, it is read for longer. */
  readonly reasoning: boolean;
  /** The models that may answer if its routes don't, in order; absent if there are none. */
  readonly fallback?: readonly string[];
  /** When its first price version was made; milliseconds since the epoch. */
  readonly createdAtMs: number;
}
