import { embeddings, longChat, pictureChat, smallChat } from '../bodies.ts';
import type { Load } from '../measure.ts';
import { type Profile, stagedProfile } from '../profile.ts';
import { openKeys, openTenant } from '../tenants.ts';
import { requestRound } from './request-round.ts';

const KB = 1_024;
const KEYS = 10_000;

function chatLoad(body: string, connections: number): Load {
  return { behaviour: 'plain', endpoint: 'chat/completions', body, connections };
}

function requests(name: string, about: string, load: Load, args: readonly string[] = []): Profile {
  return stagedProfile(name, about, (stage, settings) => requestRound(stage, settings, load), { args });
}

const small = smallChat('plain');

/** A hold is some thousand times the charge, so that the credit lets 48 requests run at a time and lasts all the same. */
const DRY_OUTPUT_TOKENS = 32_000;
const DRY_CREDIT = (48n * BigInt(DRY_OUTPUT_TOKENS) * 600n * 11n) / 10n;

const dryPurse = stagedProfile(
  'dry',
  '32 connections on a credit that covers 48 requests at a time: every hold draws exactly',
  async (stage, settings) => {
    const { key } = await openTenant(stage.instance.database, DRY_CREDIT);
    const body = smallChat('plain', { max_tokens: DRY_OUTPUT_TOKENS });
    return requestRound(stage, settings, { ...chatLoad(body, 32), keys: [key.key] });
  },
);

const manyKeys = stagedProfile(
  'keys',
  '10,000 keys of one project, one drawn by lot for each request, 32 connections',
  async (stage, settings) => {
    const keys = await openKeys(stage.instance.database, stage.account, Math.ceil(KEYS * settings.scale));
    return requestRound(stage, settings, { ...chatLoad(small, 32), keys });
  },
);

const hotPurse = stagedProfile(
  'hot',
  '64 keys that share one credit and one project, 64 connections',
  async (stage, settings) => {
    const keys = await openKeys(stage.instance.database, stage.account, 64);
    return requestRound(stage, settings, { ...chatLoad(small, 64), keys });
  },
);

export const plainRequests: readonly Profile[] = [
  requests('small-32', 'short chat, 32 connections', chatLoad(small, 32)),
  requests('small-128', 'short chat, 128 connections', chatLoad(small, 128)),
  requests('prompt-100k', 'a prompt of 100 KB, 16 connections', chatLoad(longChat('plain', 100 * KB), 16)),
  requests('prompt-1m', 'a prompt of 1 MB, most of it a picture, 8 connections', chatLoad(pictureChat('plain'), 8)),
  requests('embeddings', '256 inputs to embed, an answer of 2 MB, 8 connections', {
    behaviour: 'embeddings',
    endpoint: 'embeddings',
    body: embeddings('embeddings'),
    connections: 8,
  }),
  manyKeys,
  hotPurse,
  dryPurse,
  requests('processes-2', 'short chat on two processes that share the port, 128 connections', chatLoad(small, 128), [
    '--workers',
    '2',
  ]),
];
