import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { ACCOUNT_PLACES } from '../components/account-places.ts';
import { paths } from '../paths.ts';
import { whyNot } from '../session/access.ts';
import { MANUAL, OPERATOR_PLACES, placesIn } from './places.ts';

/** An entry of the command palette: all of them are addresses. */
export interface Command {
  readonly label: string;
  /** Its kind, in a word next to it. */
  readonly kind: string;
  readonly href: string;
}

/** Everything that the user can go to. */
export function commandsFor(me: MeJson, workspace: string | null): readonly Command[] {
  const pages = workspace === null ? [] : placesIn(me, workspace).flat();
  return [
    ...pages.map(({ label, href }) => ({ label, kind: 'Page', href })),
    ...(workspace === null ? [] : actionsIn(me, workspace)),
    ...(me.user.is_operator ? OPERATOR_PLACES.map(({ label, href }) => ({ label, kind: 'Instance', href })) : []),
    ...me.workspaces
      .filter(({ id }) => id !== workspace)
      .map(({ id, name }) => ({ label: name, kind: 'Workspace', href: paths.home(id) })),
    ...ACCOUNT_PLACES.map(({ label, href }) => ({ label, kind: 'Your account', href })),
    { label: MANUAL.label, kind: 'Manual', href: MANUAL.href },
  ];
}

/** What can be begun from anywhere: addresses that open a form. */
function actionsIn(me: MeJson, workspace: string): readonly Command[] {
  const actions = [
    ['Create key', 'keys:write', paths.keys(workspace, { create: true })],
    ['Create project', 'projects:write', paths.projects(workspace, { create: true })],
    ['Create alert rule', 'alerts:write', paths.alerts(workspace, { tab: 'rules', create: 'rule' })],
    ['Add webhook', 'alerts:write', paths.alerts(workspace, { tab: 'webhooks', create: 'webhook' })],
    ['Add credit', 'payments:write', paths.credit(workspace, { add: true })],
    ['Invite members', 'members:write', paths.members(workspace, { invite: true })],
  ] as const;
  return actions
    .filter(([action, permission]) => whyNot(me, workspace, { permission, action }) === null)
    .map(([label, , href]) => ({ label, kind: 'Action', href }));
}

/** The commands that have every typed word. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const found = commands.filter(({ label, kind }) => {
    const said = `${label} ${kind}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  return found.toSorted((one, other) => rank(one, text) - rank(other, text));
}

/** What begins with the typed text comes first. */
function rank({ label }: Command, text: string): number {
  return label.toLowerCase().startsWith(text) ? 0 : 1;
}
