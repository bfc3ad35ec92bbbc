import { useQuery } from '@tanstack/react-query';
import { FOUND_MAX, foundKeysQuery, foundProjectsQuery } from '../api/found.ts';
import { modelsQuery } from '../api/models.ts';
import { requestPlaceQuery, requestQuery } from '../api/requests.ts';
import { requestIdIn } from '../components/request-id.ts';
import { paths } from '../paths.ts';
import { useMe, whyNot } from '../session/access.ts';
import { useSettled } from '../ui/use-settled.ts';
import type { Command } from './commands.ts';

interface FoundThings {
  readonly commands: readonly Command[];
  /** What was typed is still searched for. */
  readonly isSearching: boolean;
}

/** Typing rests for this long before the server is asked. */
const SETTLED_MS = 200;
const LENGTH_MIN = 2;

/** The request whose id was typed, or the things with the typed name. */
export function useFoundThings(workspace: string | null, typed: string): FoundThings {
  const request = requestIdIn(typed);
  const named = useNamedThings(workspace, request === null ? typed : '');
  const found = useFoundRequest(workspace, request);
  return request === null ? named : found;
}

/** A request by its id: for an operator of any workspace, for others of theirs. It can be opened before it is found. */
function useFoundRequest(workspace: string | null, request: string | null): FoundThings {
  const isOperator = useMe().user.is_operator;
  const id = request ?? '';
  const anywhere = useQuery({ ...requestPlaceQuery(id), enabled: request !== null && isOperator });
  const isIn = workspace ?? '';
  const inside = useQuery({
    ...requestQuery(isIn, id),
    enabled: request !== null && workspace !== null && !isOperator,
  });
  const isSearching = anywhere.isLoading || inside.isLoading;
  const command = (kind: string, href: string): FoundThings => ({
    commands: [{ label: `Request ${id}`, kind, href }],
    isSearching,
  });
  if (isSearching) return command('Searching…', isOperator ? paths.operatorRequest(id) : paths.request(isIn, id));
  if (anywhere.data !== undefined) {
    const { workspace_id: of, workspace_name: name, kind } = anywhere.data;
    const list = kind === 'refusal' ? 'refused' : undefined;
    return command(`${kindWord(kind)} in ${name}`, paths.request(of, id, { list }));
  }
  if (inside.data !== undefined) return command(kindWord(inside.data.kind), paths.request(isIn, id));
  return { commands: [], isSearching: false };
}

function kindWord(kind: string): string {
  return kind === 'refusal' ? 'Refused' : 'Served';
}

/** Models, keys and projects whose name contains the typed text. The server searches keys and projects: there may be thousands. */
function useNamedThings(workspace: string | null, typed: string): FoundThings {
  const me = useMe();
  const text = typed.trim();
  const settled = useSettled(text, SETTLED_MS);
  const isAsked = workspace !== null && settled.length >= LENGTH_MIN;
  const seesKeys =
    workspace !== null && whyNot(me, workspace, { permission: 'keys:read', action: 'see keys' }) === null;
  const of = workspace ?? '';
  const projects = useQuery({ ...foundProjectsQuery(of, settled), enabled: isAsked });
  const keys = useQuery({ ...foundKeysQuery(of, settled), enabled: isAsked && seesKeys });
  const models = useQuery({ ...modelsQuery(of), enabled: isAsked });
  if (workspace === null || text.length < LENGTH_MIN) return { commands: [], isSearching: false };
  // What was found for another text is not shown, so that nothing else is opened than what was meant.
  if (settled !== text) return { commands: [], isSearching: true };
  return {
    commands: [
      ...(projects.data ?? []).map(({ id, name }) => ({
        label: name,
        kind: 'Project',
        href: paths.project(workspace, id),
      })),
      ...(keys.data ?? []).map(({ id, name, masked_key: masked }) => ({
        label: name,
        kind: `Key ${masked}`,
        href: paths.key(workspace, id),
      })),
      ...modelsWith(models.data?.data ?? [], text).map((id) => ({
        label: id,
        kind: 'Model',
        href: paths.model(workspace, id),
      })),
    ],
    isSearching: projects.isLoading || keys.isLoading || models.isLoading,
  };
}

/** The first models with every typed word in their id. */
function modelsWith(models: readonly { readonly id: string }[], text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/);
  return models
    .map(({ id }) => id)
    .filter((id) => words.every((word) => id.toLowerCase().includes(word)))
    .slice(0, FOUND_MAX);
}
