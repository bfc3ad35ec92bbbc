import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { ConfigFault } from './config-fault.ts';
import { faultOf } from './file-problem.ts';
import { checkFallbacks, checkRelations } from './file-relations.ts';
import { fileSchema, type FileSettings } from './file-schema.ts';
import type { Environment } from './variables.ts';
import { readYamlTree, type YamlTree } from './yaml-tree.ts';

const DEFAULT_NAME = 'faregate.yaml';

/** The config file as it was read; `path` is null, and all settings are defaults, if there is none. */
export interface ConfigFile {
  /** Where the file is, or would be. */
  readonly place: string;
  readonly path: string | null;
  readonly settings: FileSettings;
  readonly tree: YamlTree;
}

/** A file that is there, not yet looked into. `shown` is its name in messages. */
interface FoundFile {
  readonly path: string;
  readonly shown: string;
  readonly text: string;
}

/** Reads and checks the named file, else faregate.yaml if there is one. @throws ConfigFault */
export function readConfigFile(named: string | undefined, environment: Environment, cwd: string): ConfigFile {
  return checkConfigFile(findFile(named, cwd), placeOf(named, cwd), environment);
}

/** Checks a text as if it stood where the file is, or would be. @throws ConfigFault */
export function checkConfigText(
  text: string,
  named: string | undefined,
  environment: Environment,
  cwd: string,
): ConfigFile {
  const place = placeOf(named, cwd);
  return checkConfigFile({ path: place, shown: shownPath(place, cwd), text }, place, environment);
}

function checkConfigFile(found: FoundFile | null, place: string, environment: Environment): ConfigFile {
  const tree = readYamlTree(found?.text ?? '', found?.shown ?? DEFAULT_NAME, environment);
  const settings = checkSettings(tree);
  checkFallbacks(settings, tree);
  return { place, path: found?.path ?? null, settings, tree };
}

/** The settings in a tree, with their defaults. @throws ConfigFault at the first mistake */
export function checkSettings(tree: YamlTree): FileSettings {
  const parsed = fileSchema.safeParse(withoutEmptySections(tree.value));
  if (!parsed.success) throw faultOf(parsed.error, tree);
  checkRelations(parsed.data, tree);
  return parsed.data;
}

/**
 * The file's `data` alone and where the file is, whatever else the file says: commands that only look for the running
 * instance work beside a file that is being edited.
 */
export function readDataSetting(
  named: string | undefined,
  environment: Environment,
  cwd: string,
): { path: string; data: string } | null {
  const found = findFile(named, cwd);
  const line = found === null ? null : /^data\s*:.*$/m.exec(found.text);
  if (found === null || line === null) return null;
  const { value } = readYamlTree(line[0], found.shown, environment);
  const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : null;
  return typeof data === 'string' ? { path: found.path, data } : null;
}

/** Where the named file is, else where faregate.yaml is or would be. */
export function placeOf(named: string | undefined, cwd: string): string {
  return resolve(cwd, named ?? DEFAULT_NAME);
}

function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith('..') ? path : fromHere;
}

function findFile(named: string | undefined, cwd: string): FoundFile | null {
  const path = placeOf(named, cwd);
  const shown = shownPath(path, cwd);
  try {
    return { path, shown, text: readFileSync(path, 'utf8') };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    if (named === undefined && code === 'ENOENT') return null;
    const problem =
      code === 'ENOENT'
        ? 'no such file; name an existing one with --config'
        : `the file cannot be read (${code}); make it readable for this user`;
    throw new ConfigFault(shown, problem, { cause });
  }
}

/** A section whose entries are all commented out counts as left out. */
function withoutEmptySections(root: unknown): unknown {
  if (root === null) return {};
  if (typeof root !== 'object' || Array.isArray(root)) return root;
  return Object.fromEntries(Object.entries(root).filter(([, section]) => section !== null));
}
