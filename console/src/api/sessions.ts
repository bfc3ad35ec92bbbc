import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

// The signed-in user's own sessions.

export const sessionsQuery = pagedQuery(['me', 'sessions'], ({ signal, cursor }) =>
  callApi('GET /me/sessions', { signal, query: { cursor } }),
);

export const endSession = (id: string) => callApi('DELETE /me/sessions/{id}', { id });

/** Ends all sessions but this one. */
export const endOtherSessions = () => callApi('DELETE /me/sessions');
