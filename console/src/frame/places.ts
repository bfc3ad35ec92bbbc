import {
  Bell,
  BookOpen,
  Boxes,
  Building2,
  ChartColumn,
  CircleSlash,
  CreditCard,
  FolderClosed,
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
import { paths } from '../paths.ts';

/** An entry of the sidebar and of the command palette. */
export interface Place {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly href: string;
  /** Only its very address is this place, not the ones below it. */
  readonly exact?: boolean;
}

/** The pages of a workspace, as listed in the sidebar. */
export function workspacePlaces(workspace: string): readonly Place[] {
  return [
    homePlace(workspace),
    { label: 'Requests', icon: ScrollText, href: paths.requests(workspace) },
    { label: 'Usage', icon: ChartColumn, href: paths.usage(workspace) },
    { label: 'Keys', icon: KeyRound, href: paths.keys(workspace) },
    { label: 'Projects', icon: FolderClosed, href: paths.projects(workspace) },
    { label: 'Models', icon: Boxes, href: paths.models(workspace) },
    { label: 'Playground', icon: SquareTerminal, href: paths.playground(workspace) },
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
    { label: 'Audit', icon: ScrollText, href: paths.audit(workspace) },
  ];
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
});

export const MANUAL: Place = { label: 'Manual', icon: BookOpen, href: paths.manual() };

/** Whether an address is the place, or below it. */
export function isAt({ href, exact = false }: Place, pathname: string): boolean {
  return pathname === href || (!exact && pathname.startsWith(`${href}/`));
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
export function sidebarGroups(workspace: string | null, isOperator: boolean, pathname: string): readonly PlaceGroup[] {
  const ofWorkspace =
    workspace === null ? [] : [{ places: workspacePlaces(workspace) }, { places: settingsPlaces(workspace) }];
  if (!isOperator) return ofWorkspace;
  if (workspace !== null && !isOfInstance(isOperator, pathname)) return [...ofWorkspace, { places: [INSTANCE] }];
  return [...OPERATOR_GROUPS, ...(workspace === null ? [] : [{ places: [homePlace(workspace)] }])];
}
