import { hash } from 'node:crypto';

/**
 * The subject of the purses of an end user or a session, from the text that names it. It needs no look-up, and is nothing to
 * another project.
 */
export function servedSubject(projectId: string, kind: 'end_user' | 'session', text: string): string {
  const digits = hash('sha256', `${projectId} ${kind} ${text}`);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-');
}
