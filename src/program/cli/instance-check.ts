import type { AdminClient } from '../../control/admin/client.ts';
import { AdminUnreachable } from '../../control/admin/client/send.ts';
import { fail, type Finding, ok, textOf, warn } from '../../control/doctor/finding.ts';

/** Error codes of connections that the server closed after accepting them. */
const RESET: ReadonlySet<string> = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

/** An instance's state and findings. */
export interface InstanceExamination {
  readonly finding: Finding;
  /** Its findings about its surroundings; null if it does not answer. */
  readonly found: readonly Finding[] | null;
}

/** Asks an instance for its state and its findings. Never rejects. */
export async function examineInstance(client: AdminClient, url: string): Promise<InstanceExamination> {
  const check = 'instance';
  try {
    const [{ version, ready, problems }, { data: found }] = await Promise.all([
      client.showStatus(),
      client.examineInstance(),
    ]);
    const message = `Faregate ${version} at ${url}`;
    const known = problems.join(' ');
    if (!ready) return { finding: fail(check, `${message} is not ready`, known === '' ? 'see its log' : known), found };
    const finding = known === '' ? ok(check, `${message} is ready`) : warn(check, `${message} is ready`, known);
    return { finding, found };
  } catch (error) {
    return { finding: findingOf(error, url), found: null };
  }
}

function findingOf(error: unknown, url: string): Finding {
  if (error instanceof AdminUnreachable && RESET.has(codeOf(error.cause))) {
    return fail(
      'instance',
      `${url} closes each connection immediately`,
      'it has reached server.connections_max or connections_per_address_max, or is stopping: see its log',
    );
  }
  return warn('instance', textOf(error), 'run "faregate start", or name a running one with --url');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
