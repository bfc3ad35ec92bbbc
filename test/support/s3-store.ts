import { createHash, createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ReceivedRequest, startScriptedUpstream } from './scripted-upstream.ts';

// A store that speaks as much of S3 as putting objects needs. It checks signatures by a computation of its own, by the letter of
// AWS Signature Version 4.

export const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Why a request is not signed with the credentials; null if it is. */
function signatureFault({ method, path, headers, body }: ReceivedRequest): string | null {
  const parts = AUTHORIZATION.exec(headers.authorization ?? '');
  if (parts === null) return 'no signature';
  const [, keyId, date = '', region = '', signedHeaders = '', signature] = parts;
  if (keyId !== CREDENTIALS.accessKeyId) return 'another key';
  const names = signedHeaders.split(';');
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.includes(name)) return `${name} unsigned`;
  const digest = String(headers['x-amz-content-sha256']);
  if (digest !== sha256(body)) return 'another body';
  const time = String(headers['x-amz-date']);
  if (!time.startsWith(date)) return 'another date';
  const canonicalHeaders = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, path, '', canonicalHeaders, signedHeaders, digest].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, `${date}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${CREDENTIALS.secretAccessKey}`, date));
  return hmac(key, toSign).toString('hex') === signature ? null : 'another signature';
}

export interface S3Store {
  readonly endpoint: string;
  /** `takes`: it stores what is signed. `hangs`: it does not answer. A status: it refuses. */
  mood: 'takes' | 'hangs' | number;
  /** The lines of each object, by its path. */
  readonly objects: ReadonlyMap<string, readonly string[]>;
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export async function startS3Store(): Promise<S3Store> {
  const objects = new Map<string, readonly string[]>();
  const faults: string[] = [];
  const upstream = await startScriptedUpstream((response, request) => {
    if (store.mood === 'hangs') return;
    if (store.mood !== 'takes') {
      response.writeHead(store.mood).end('<Error><Code>Refused</Code></Error>');
      return;
    }
    const fault = signatureFault(request);
    if (fault !== null) {
      faults.push(fault);
      response.writeHead(403).end(`<Error><Code>SignatureDoesNotMatch</Code>${fault}</Error>`);
      return;
    }
    objects.set(request.path, gunzipSync(request.body).toString().split('\n').slice(0, -1));
    response.writeHead(200, { etag: '"1"' }).end();
  });
  const store: S3Store = { endpoint: upstream.origin, mood: 'takes', objects, faults, stop: () => upstream.stop() };
  return store;
}
