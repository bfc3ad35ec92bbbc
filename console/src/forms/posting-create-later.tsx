import { lazy } from 'react';

/** The form that posts credit, loaded when it is opened: operators alone have it. */
export const PostingCreate = lazy(async () => ({ default: (await import('./posting-create.tsx')).PostingCreate }));
