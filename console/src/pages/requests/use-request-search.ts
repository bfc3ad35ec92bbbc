import { getRouteApi, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import type { RequestSearch } from './request-search.ts';

const route = getRouteApi('/in/workspaces/$workspace/requests');

interface RequestPlace {
  readonly workspace: string;
  readonly search: RequestSearch;
  /** The list that is shown. */
  readonly list: 'served' | 'refused';
  /** The request that is open, by its id. */
  readonly open: string | null;
  /** The address of a request next to this list. */
  readonly requestHref: (request: string) => string;
  /** The address of the list without an open request. */
  readonly listHref: (list?: 'served' | 'refused') => string;
  /** Changes filters; undefined removes one. Typing replaces the history entry, a choice adds one. */
  readonly change: (changes: RequestSearch, replace?: boolean) => void;
  /** Goes to an address of these pages, and stays where the page is scrolled to. */
  readonly go: (href: string, replace?: boolean) => void;
}

/** Filters that only one of the lists has. */
const OF_SERVED = { outcome: undefined, dialect: undefined, session: undefined, min_charge: undefined } as const;
const OF_REFUSED = { code: undefined } as const;

/** What the address says about the list of requests, and how to change it. */
export function useRequestSearch(): RequestPlace {
  const { workspace } = route.useParams();
  const { list: beside, ...search } = route.useSearch();
  const { request } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isRefused = beside === 'refused' || pathname.endsWith('/requests/refused');
  const open = request ?? null;
  const listHref = (list = isRefused ? ('refused' as const) : ('served' as const)): string =>
    list === 'refused'
      ? paths.refusedRequests(workspace, { ...search, ...OF_SERVED })
      : paths.requests(workspace, { ...search, ...OF_REFUSED });
  const go = (href: string, replace = false): void => void navigate({ href, replace, resetScroll: false });
  const requestWith = (id: string, filters: RequestSearch): string =>
    paths.request(workspace, id, { ...filters, ...(isRefused ? { list: 'refused' } : {}) });
  return {
    workspace,
    search,
    list: isRefused ? 'refused' : 'served',
    open,
    requestHref: (id) => requestWith(id, search),
    listHref,
    change: (changes, replace) => {
      const next = { ...search, ...changes };
      const list = isRefused ? paths.refusedRequests(workspace, { ...next }) : paths.requests(workspace, { ...next });
      go(open === null ? list : requestWith(open, next), replace);
    },
    go,
  };
}
