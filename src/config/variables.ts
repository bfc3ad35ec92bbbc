// `${VAR}` in the file's strings stands for an environment variable; `$${` is a plain `${`.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The text with its variables filled in, or the fault of one of them. */
export type Expansion = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Fills in every `${VAR}`. A variable that is unset or empty is a problem; no value is ever part of a problem. */
export function expandVariables(text: string, environment: Environment): Expansion {
  let problem: string | null = null;
  const expanded = text.replace(
    REFERENCE,
    (reference: string, name: string | undefined, closing: string | undefined) => {
      if (name === undefined) return '${';
      const value = VARIABLE_NAME.test(name) && closing === '}' ? environment[name] : undefined;
      if (value !== undefined && value !== '') return value;
      problem ??= problemOf(name, closing === '}');
      return reference;
    },
  );
  return problem === null ? { ok: true, text: expanded } : { ok: false, problem };
}

function problemOf(name: string, closed: boolean): string {
  if (!closed) return 'a "${" is never closed; write "${NAME}", or "$${" for a plain "${"';
  if (!VARIABLE_NAME.test(name)) {
    return '"${…}" holds no variable name; write letters, digits and "_", or "$${" for a plain "${"';
  }
  return `the environment variable ${name} is not set; set it, or write "$\${${name}}" if the text itself is meant`;
}

/** A variable that is set to nothing counts as unset, as it does in most container tools. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}
