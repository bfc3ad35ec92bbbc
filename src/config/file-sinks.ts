import * as z from 'zod';
import { baseUrl, duration, plainText, section, size } from './file-fields.ts';
import { otlpHeaders } from './file-telemetry.ts';

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

const gathered = (initial: string) =>
  duration(10, 3_600_000).prefault(initial).describe('How long records are gathered before they are delivered.');

const file = section(
  {
    kind: z.literal('file'),
    path: plainText('write the path of a directory').describe('The directory; each workspace gets one below it.'),
    rotate_at: size(SIZE_MIN).prefault('64MiB').describe('The size at which a file is followed by the next one.'),
    deliver_every: gathered('1s'),
    ...COMMON_KEYS,
  },
  RIGHT,
);

const SECRET_RIGHT = 'write the key, best as "${VAR}"';
const BUCKET_RIGHT = 'write the name of a bucket: lower-case letters, digits, "-" and "."';
const PREFIX_RIGHT = 'write a path of letters, digits, "/", ".", "-" and "_", such as faregate/prod';

const s3 = section(
  {
    kind: z.literal('s3'),
    endpoint: baseUrl().describe('Where the store is, such as https://s3.eu-central-1.amazonaws.com.'),
    region: plainText('write a region, such as eu-central-1', 64).prefault('us-east-1').describe('Its region.'),
    bucket: z
      .string({ error: BUCKET_RIGHT })
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: BUCKET_RIGHT })
      .describe('The bucket, which has to be there.'),
    prefix: z
      .string({ error: PREFIX_RIGHT })
      .regex(/^\w[\w./-]{0,199}$/, { error: PREFIX_RIGHT })
      .optional()
      .describe('What the names of objects begin with. Left out: with the id of the workspace.'),
    access_key_id: plainText(SECRET_RIGHT, 256).describe('The id of an access key that may put objects.'),
    secret_access_key: plainText(SECRET_RIGHT, 256).describe('Its secret, best as "${VAR}".'),
    deliver_every: gathered('30s'),
    ...COMMON_KEYS,
  },
  'write a mapping with kind: s3, endpoint, bucket, access_key_id and secret_access_key',
);

const otlp = section(
  {
    kind: z.literal('otlp'),
    endpoint: baseUrl().describe('Where OTLP over HTTP is taken; /v1/logs is added.'),
    headers: otlpHeaders().describe('Headers of each delivery, such as a token.'),
    deliver_every: gathered('1s'),
    ...COMMON_KEYS,
  },
  'write a mapping such as { kind: otlp, endpoint: "http://collector:4318" }',
);

const sink = z.discriminatedUnion('kind', [file, s3, otlp], {
  error: (issue) => (issue.code === 'invalid_union' ? 'write kind: file (or s3, otlp)' : RIGHT),
});

export const sinks = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, { error: NAME_RIGHT }), sink, {
    error: 'write a mapping of names to sinks',
  })
  .prefault({})
  .describe('Where workspaces may have prompts and answers, receipts, refusals and audit events delivered, by name.');
