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
    { label: 'Home', icon: House, href: paths.home(workspace), exact: true },
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

/** The pages of the whole instance, for operators. */
export const OPERATOR_PLACES: readonly Place[] = [
  { label: 'Workspaces', icon: Building2, href: paths.operatorWorkspaces() },
  { label: 'Providers', icon: Route, href: paths.operatorProviders() },
  { label: 'Refusals', icon: CircleSlash, href: paths.operatorRefusals() },
  { label: 'Prices', icon: Tags, href: paths.operatorPrices() },
  { label: 'Codes', icon: Ticket, href: paths.operatorCodes() },
  { label: 'Ledger', icon: Scale, href: paths.operatorLedger() },
  { label: 'Instance alerts', icon: Bell, href: paths.alertsOf(null) },
  { label: 'Instance', icon: Server, href: paths.operatorInstance() },
];

export const MANUAL: Place = { label: 'Manual', icon: BookOpen, href: paths.manual() };

/** Whether an address is the place, or below it. */
export function isAt({ href, exact = false }: Place, pathname: string): boolean {
  return pathname === href || (!exact && pathname.startsWith(`${href}/`));
}
