import * as z from 'zod';
import { duration, plainText, section, size } from './file-fields.ts';

// Where workspaces may have their records delivered. Owners of workspaces choose among these by name.

const NAME_RIGHT = 'write a name of lower-case letters, digits, "-" and "_", at most 40 of them';
const RIGHT = 'write a mapping such as { kind: file, path: /var/log/faregate }';
const SIZE_MIN = 65_536;

/** What sinks of all kinds have. */
const COMMON_KEYS = {
  timeout: duration(100, 300_000).prefault('30s').describe('How long one delivery may take.'),
  queue_max: size(SIZE_MIN)
    .prefault('64MiB')
    .describe('What may wait in one process; a workspace may take up half of it. The rest is dropped, and counted.'),
};

const file = section(
  {
    kind: z.literal('file'),
    path: plainText('write the path of a directory').describe('The directory; each workspace gets one below it.'),
    rotate_at: size(SIZE_MIN).prefault('64MiB').describe('The size at which a file is followed by the next one.'),
    deliver_every: duration(10, 3_600_000).prefault('1s').describe('How long records are gathered.'),
    ...COMMON_KEYS,
  },
  RIGHT,
);

const sink = z.discriminatedUnion('kind', [file], {
  error: (issue) => (issue.code === 'invalid_union' ? 'write kind: file' : RIGHT),
});

export const sinks = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, { error: NAME_RIGHT }), sink, {
    error: 'write a mapping of names to sinks',
  })
  .prefault({})
  .describe('Where workspaces may have prompts and answers, receipts, refusals and audit events delivered, by name.');
