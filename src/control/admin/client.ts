import { Readable } from 'node:stream';
import { publicIdOf } from '../../domain/key.ts';
import { addressOf, paramNames } from '../operations/operation.ts';
import { type OperationId, OPERATIONS } from '../operations/operations.ts';
import { OWNED_OPERATIONS, type OwnedOperationId } from '../operations/owned-operations.ts';
import type { CreatedKeyJson, KeyCreation, NewKeyJson } from './accounts/account-contract.ts';
import { type AdminClientOptions, send } from './client/send.ts';
import type { UsageQueryInput } from './usage/usage-contract.ts';
import type {
  AnswerOf,
  BodyOf,
  BodySchema,
  ParamNamesOf,
  ParamsOf,
  QueryOf,
  QuerySchema,
} from './operation-contract.ts';

// The admin API's client, for the commands. It shares the operations' declarations with the server, and the types of its contract.

/** The types of these parameters, in their order. */
type Values<Names extends readonly string[], Params> = Names extends readonly [
  infer Name,
  ...infer Rest extends readonly string[],
]
  ? readonly [Params[Name & keyof Params], ...Values<Rest, Params>]
  : readonly [];
type Body<Id extends OperationId> = [BodySchema<Id>] extends [never] ? [] : [body: BodyOf<Id>];
type Query<Id extends OperationId> = [QuerySchema<Id>] extends [never] ? [] : [query?: QueryOf<Id>];

/** What a call is given: the parameters of the operation's path in their order, its body, and its query. */
type Given<Id extends OperationId> = readonly [...Values<ParamNamesOf<Id>, ParamsOf<Id>>, ...Body<Id>, ...Query<Id>];

type GivenInWorkspace<Id extends OperationId> = Given<Id> extends readonly [string, ...infer Rest] ? Rest : never;

type Calls = { readonly [Id in OperationId]: (...given: Given<Id>) => Promise<AnswerOf<Id>> };

/** Operations on a thing that is looked up, so that its workspace is not needed. */
const LOCATED = [
  'showProject',
  'updateProject',
  'archiveProject',
  'listProjectKeys',
  'showKey',
  'updateKey',
  'rotateKey',
  'endFormerSecret',
  'revokeKey',
  'createKey',
  'listEndUserLimits',
  'showEndUser',
  'setEndUserLimit',
  'removeEndUserLimit',
  'showReceipt',
  'correctReceipt',
] as const;
type Located = (typeof LOCATED)[number];

/** Has the key's secret, unless it repeats a request under the same `once`. */
type CreateKey = <Creation extends KeyCreation>(
  project: string,
  body: Creation,
) => Promise<'once' extends keyof Creation ? NewKeyJson : CreatedKeyJson>;

/** Of a workspace; null: of all. Each has groupings that the other lacks. */
type ShowUsage = (
  workspace: string | null,
  query?: UsageQueryInput & { readonly limit?: number },
) => Promise<AnswerOf<'showUsage'>>;

/** The calls of all operations by their names. Each @throws AdminRefused, AdminUnreachable */
export type AdminClient = Omit<Calls, Located | OwnedOperationId> & {
  readonly [Id in Exclude<Located, 'createKey'>]: (...given: GivenInWorkspace<Id>) => Promise<AnswerOf<Id>>;
} & {
  readonly [Id in Exclude<OwnedOperationId, 'showUsage'>]: (
    workspace: string | null,
    ...given: GivenInWorkspace<Id>
  ) => Promise<AnswerOf<Id>>;
} & { readonly createKey: CreateKey; readonly showUsage: ShowUsage };

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>;

/** Creates a client. Workspaces, projects and keys are referred to by id or by name, as in the API's reference. */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const ids = Object.keys(OPERATIONS) as OperationId[];
  const calls = Object.fromEntries(ids.map((id) => [id, callOf(options, id)])) as Record<OperationId, AnyCall>;
  const ownedIds = Object.keys(OWNED_OPERATIONS) as OwnedOperationId[];
  const special = [
    ...LOCATED.map((id) => [id, locatedCall(calls, id)] as const),
    ...ownedIds.map((id) => [id, ownedCall(calls, id)] as const),
  ];
  // In an object made of entries, no name has a type of its own.
  return { ...calls, ...Object.fromEntries(special) } as unknown as AdminClient;
}

/** Calls an operation. Behind the parameters of its path come its body, unless it reads, and its query. */
function callOf(options: AdminClientOptions, id: OperationId): AnyCall {
  const { route } = OPERATIONS[id];
  const names = paramNames(route);
  return async (...given) => {
    const { method, path } = addressOf(route, Object.fromEntries(names.map((name, at) => [name, String(given[at])])));
    const rest = given.slice(names.length) as (object | undefined)[];
    const [body, query] = method === 'GET' ? [undefined, rest[0]] : rest;
    const response = await send(options, { method, path: path + queryOf(query), body });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return isJson ? await response.body.json() : Readable.toWeb(response.body);
  };
}

/** Calls an operation on one thing of a workspace; the path's workspace is filled in. */
function locatedCall(calls: Record<OperationId, AnyCall>, id: Located): AnyCall {
  const [, thing = ''] = paramNames(OPERATIONS[id].route);
  return async (reference, ...given) => {
    const named = String(reference);
    // Never a secret in a URL, even if the reference is a whole key.
    const query = { [thing]: thing === 'key' ? (publicIdOf(named) ?? named) : named };
    const found = (await calls.lookUp(query)) as AnswerOf<'lookUp'>;
    return await calls[id](found.workspace_id, found.id, ...given);
  };
}

/** Calls an operation on what is a workspace's, or the operator's own. */
function ownedCall(calls: Record<OperationId, AnyCall>, id: OwnedOperationId): AnyCall {
  return (workspace, ...given) =>
    workspace === null ? calls[OWNED_OPERATIONS[id]](...given) : calls[id](workspace, ...given);
}

/** The defined values, as a query string. */
function queryOf(values: object = {}): string {
  const entries = Object.entries(values) as [string, string | number | boolean | undefined][];
  const given = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
