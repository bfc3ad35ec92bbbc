import type { Permission } from '../../domain/roles.ts';
import type { OperatorRight } from '../../domain/workspace-scope.ts';
import type { RefusalCode } from '../../domain/refusals.ts';

// What an operation of the admin API is, as data that its server, its clients and its document share.

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * Who may call an operation: members whose role has the permission in the workspace of the path, operators with the right,
 * users about themselves, or everybody.
 */
export type Access = Permission | `operator:${OperatorRight}` | 'personal' | 'public';

/** The codes by which operations refuse for reasons of their own. */
type OwnRefusal = Extract<RefusalCode, 'CONFLICT' | 'NOT_FOUND' | 'UNAUTHENTICATED' | 'FORBIDDEN'>;

export interface Operation {
  /** Its method, and its path below `/admin/v1`. */
  readonly route: `${Method} /${string}`;
  readonly access: Access;
  /** It also answers members who have the permission for their own things alone, about these. Others are refused. */
  readonly servesOwn?: boolean;
  /** Its section in the document. */
  readonly tag: string;
  readonly summary: string;
  /** It changes something that has a version, and reads `If-Match`. */
  readonly isVersioned?: boolean;
  /** A session must have proved recently who its user is. */
  readonly needsRecentSignIn?: boolean;
  /** It waits for the OpenID provider, which may not answer. */
  readonly waitsForOpenId?: boolean;
  /**
   * The codes with which it refuses, besides those that follow from the rest of its declaration; or all by which the public
   * API refuses.
   */
  readonly refuses?: readonly OwnRefusal[] | 'as the public API';
}

/** The names of a path's parameters. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? readonly [Name, ...ParamNames<Rest>]
  : readonly [];

/** The names of a path's parameters, in their order. */
export function paramNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The method and the path of a route, below `/admin/v1`, with its parameters filled in. */
export function addressOf(
  route: string,
  params: Readonly<Record<string, string>>,
): { readonly method: string; readonly path: string } {
  const space = route.indexOf(' ');
  const path = route
    .slice(space + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { method: route.slice(0, space), path };
}
