/** SPDX ids of licences that anything may have which is distributed with the program or builds it. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]);

/** Packages with another licence, and why that is no hindrance. None of them is installed by users, nor a part of the console. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'axe-core': 'MPL-2.0: it runs in tests alone, unchanged',
  'caniuse-lite': 'CC-BY-4.0: data that a build tool reads',
  lightningcss: 'MPL-2.0: it runs in the build of the console, unchanged',
};

interface LockedPackage {
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of a lockfile. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

/** Whether an SPDX expression without parentheses inside of others allows one of the accepted licences. */
function isAccepted(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => ACCEPTED.has(licence)));
}

/**
 * What is wrong with the licences of a lockfile, a line each. A package for one platform has that of the package which
 * lists it.
 */
export function licenceFaults(packages: LockedPackages): readonly string[] {
  const parents = new Map(
    Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [name, nameOf(path)] as const),
    ),
  );
  const licences = new Map(Object.entries(packages).map(([path, { license }]) => [nameOf(path), license]));
  return Object.entries(packages).flatMap(([path, locked]) => {
    const name = nameOf(path);
    const parent = parents.get(name) ?? '';
    const licence = locked.license ?? licences.get(parent) ?? 'no licence';
    if (!path.includes('node_modules/') || locked.link === true || isAccepted(licence)) return [];
    if (locked.dev === true && (name in EXCEPTIONS || parent in EXCEPTIONS)) return [];
    return [`${name} has ${licence}: replace it, or name it with a reason in tools/licence-faults.ts`];
  });
}
