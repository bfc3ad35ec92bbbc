import {
  Bell,
  BookOpen,
  Boxes,
  Building2,
  ChartColumn,
  CircleSlash,
  CreditCard,
  FolderClosed,
  History,
  House,
  KeyRound,
  type LucideIcon,
  Route,
  Scale,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Tags,
  Ticket,
  Users,
} from 'lucide-react';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { paths } from '../paths.ts';
import { seesOwnAlone } from '../session/access.ts';

/** An entry of the sidebar and of the command palette. */
export interface Place {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly href: string;
  /** Only its very address is this place, not the ones below it. */
  readonly exact?: boolean;
  /** Whether those go there too who see what is their own alone. */
  readonly hasOwn?: boolean;
}

/** The pages of a workspace, as listed in the sidebar. */
export function workspacePlaces(workspace: string): readonly Place[] {
  return [
    homePlace(workspace),
    { label: 'Requests', icon: ScrollText, href: paths.requests(workspace), hasOwn: true },
    { label: 'Usage', icon: ChartColumn, href: paths.usage(workspace), hasOwn: true },
    { label: 'Keys', icon: KeyRound, href: paths.keys(workspace), hasOwn: true },
    { label: 'Projects', icon: FolderClosed, href: paths.projects(workspace) },
    { label: 'Models', icon: Boxes, href: paths.models(workspace), hasOwn: true },
    { label: 'Playground', icon: SquareTerminal, href: paths.playground(workspace), hasOwn: true },
    { label: 'Credit', icon: CreditCard, href: paths.credit(workspace) },
    { label: 'Alerts', icon: Bell, href: paths.alerts(workspace) },
  ];
}

/** The pages about the workspace itself, below a hairline. */
export function settingsPlaces(workspace: string): readonly Place[] {
  return [
    { label: 'Members', icon: Users, href: paths.members(workspace) },
    { label: 'Access', icon: ShieldCheck, href: paths.access(workspace) },
    { label: 'Settings', icon: Settings, href: paths.settings(workspace) },
    { label: 'Audit', icon: History, href: paths.audit(workspace) },
  ];
}

/** The pages of a workspace that the signed-in user goes to, those about itself last. */
export function placesIn(me: MeJson, workspace: string): readonly (readonly Place[])[] {
  const all = [workspacePlaces(workspace), settingsPlaces(workspace)];
  if (!seesOwnAlone(me, workspace)) return all;
  return all.map((places) => places.filter(({ hasOwn = false }) => hasOwn)).filter(({ length }) => length > 0);
}

/** From the pages of a workspace to those of the instance. */
export const INSTANCE: Place = { label: 'Instance', icon: Server, href: paths.operatorInstance() };

/** The pages of the whole instance, for operators, by what they are about. */
export const OPERATOR_GROUPS: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: 'Customers',
    places: [
      { label: 'Workspaces', icon: Building2, href: paths.operatorWorkspaces() },
      { label: 'Refusals', icon: CircleSlash, href: paths.operatorRefusals() },
      { label: 'Codes', icon: Ticket, href: paths.operatorCodes() },
    ],
  },
  {
    title: 'Catalogue',
    places: [
      { label: 'Providers', icon: Route, href: paths.operatorProviders() },
      { label: 'Prices', icon: Tags, href: paths.operatorPrices() },
    ],
  },
  {
    title: 'System',
    places: [
      INSTANCE,
      { label: 'Cells', icon: Boxes, href: paths.operatorCells() },
      { label: 'Ledger', icon: Scale, href: paths.operatorLedger() },
      { label: 'Alerts', icon: Bell, href: paths.alertsOf(null) },
    ],
  },
];

export const OPERATOR_PLACES: readonly Place[] = OPERATOR_GROUPS.flatMap(({ places }) => places);

/** From the pages of the instance to those of a workspace. */
export const homePlace = (workspace: string): Place => ({
  label: 'Home',
  icon: House,
  href: paths.home(workspace),
  exact: true,
  hasOwn: true,
});

export const MANUAL: Place = { label: 'Manual', icon: BookOpen, href: paths.manual() };

/** Whether an address is the place, or below it. */
export function isAt({ href, exact = false }: Place, pathname: string): boolean {
  return pathname === href || (!exact && pathname.startsWith(`${href}/`));
}

/** Whether the page at an address shows more of a workspace than the user sees, who sees what is their own alone. */
export function isBeyondOwn(me: MeJson, workspace: string, pathname: string): boolean {
  if (!pathname.startsWith(paths.home(workspace)) || !seesOwnAlone(me, workspace)) return false;
  return !placesIn(me, workspace).some((places) => places.some((place) => isAt(place, pathname)));
}

/** Whether the page at an address is about the whole instance, rather than about one workspace. */
export function isOfInstance(isOperator: boolean, pathname: string): boolean {
  return isOperator && pathname.startsWith('/operator/');
}

interface PlaceGroup {
  readonly title?: string;
  readonly places: readonly Place[];
}

/** The sidebar next to the page at an address: of the instance, or of the workspace with the way to the other. */
export function sidebarGroups(workspace: string | null, me: MeJson, pathname: string): readonly PlaceGroup[] {
  const { is_operator: isOperator } = me.user;
  const ofWorkspace = workspace === null ? [] : placesIn(me, workspace).map((places) => ({ places }));
  if (!isOperator) return ofWorkspace;
  if (workspace !== null && !isOfInstance(isOperator, pathname)) return [...ofWorkspace, { places: [INSTANCE] }];
  return [...OPERATOR_GROUPS, ...(workspace === null ? [] : [{ places: [homePlace(workspace)] }])];
}
