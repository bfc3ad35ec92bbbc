import { type Environment, variable } from './variables.ts';

/** How the person who started this process runs the program's commands, as the launcher has found out. */
export function programCommand(env: Environment): string {
  return variable(env, 'FAREGATE_COMMAND') ?? 'faregate';
}

/** A text in which commands stand as `"faregate …"`, or in an example, with the command that works for its reader. */
export function withCommand(text: string, command: string): string {
  return text.replace(/(?<="|^ *\$ )faregate(?= [a-z-])/gm, () => command);
}
