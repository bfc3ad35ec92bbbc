import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { ReceiptSummaryJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { callApi, fetchApi, type Page } from './client.ts';

// Requests to models by the signed-in user, without a key.

/** The project that pays, and its workspace. */
export interface Payer {
  readonly workspace: string;
  readonly project: string;
}

/** A body of the public API. */
export type ChatBody = Readonly<Record<string, unknown>>;

/** What a request would hold, or why it would be refused for money. */
export interface QuoteJson {
  readonly allowed: boolean;
  readonly hold_nano_usd: string;
  readonly shortened_to_tokens: number | null;
  readonly refusal: { readonly message: string } | null;
}

/** `body`: null if it is not one yet. */
export const quoteQuery = ({ workspace, project }: Payer, body: ChatBody | null) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'quote', project, body],
    queryFn:
      body === null
        ? skipToken
        : async ({ signal }) => {
            const answer = await fetchApi('POST /workspaces/{workspace}/playground/quote', {
              workspace,
              query: { project },
              body,
              signal,
            });
            return (await answer.json()) as QuoteJson;
          },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });

/** Sends the request; resolves with its answer once that has begun. @throws ApiError */
export const sendChat = ({ workspace, project }: Payer, body: ChatBody, signal: AbortSignal): Promise<Response> =>
  fetchApi('POST /workspaces/{workspace}/playground/chat/completions', { workspace, query: { project }, body, signal });

const SETTLED_TRIES = 60;
const SETTLED_EVERY_MS = 500;
const PAGE_MAX = 200;

/** A request that was cut off; its charge is not known yet. */
class NotSettled extends Error {}

const SECOND_MS = 1_000;

/** A moment shortly before a request began: its id begins with its time. */
function beforeStart(request: string): string {
  return new Date(Number.parseInt(request.replaceAll('-', '').slice(0, 12), 16) - SECOND_MS).toISOString();
}

/** Looks for the receipt among those of requests that began as late: one that is not there yet is no error. */
async function waitForReceipt(workspace: string, request: string, signal: AbortSignal): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Page<ReceiptSummaryJson> = await callApi('GET /workspaces/{workspace}/receipts', {
      workspace,
      query: { from: beforeStart(request), cursor, limit: PAGE_MAX },
      signal,
    });
    if (page.data.some(({ request_id: id }) => id === request)) return;
    cursor = page.next_cursor;
  } while (cursor !== null);
  throw new NotSettled('The request is not settled yet.');
}

/**
 * The receipt of a request that has ended; null: none has. `isWhole`: its answer came to its end, so it is settled. Others are
 * settled within moments.
 */
export const settledReceiptQuery = (workspace: string, ended: { request: string; isWhole: boolean } | null) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'receipts', 'settled', ended?.request],
    queryFn:
      ended === null
        ? skipToken
        : async ({ signal }) => {
            const { request, isWhole } = ended;
            if (!isWhole) await waitForReceipt(workspace, request, signal);
            return await callApi('GET /workspaces/{workspace}/receipts/{request_id}', {
              workspace,
              request_id: request,
              signal,
            });
          },
    retry: (tries, error) => tries < SETTLED_TRIES && error instanceof NotSettled,
    retryDelay: SETTLED_EVERY_MS,
    staleTime: 'static',
  });
