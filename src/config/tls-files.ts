import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ConfigFault } from './config-fault.ts';
import type { PemFile, TlsConfig } from './config.ts';
import type { PlaceInFile } from './kinds/kind-of-provider.ts';

const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';

interface TlsPaths {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Reads and tries the PEM files that a provider names; null if it names none. @throws ConfigFault */
export function readTlsFiles(paths: TlsPaths, place: PlaceInFile): TlsConfig | null {
  const { ca, cert, key } = paths;
  if (ca === undefined && cert === undefined && key === undefined) return null;
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
    throw faultAt(place, given, `tls.${given} stands without tls.${missing}; name both files, or neither`);
  }
  const files = {
    ca: ca === undefined ? null : readPem(ca, 'ca', place),
    cert: cert === undefined ? null : readPem(cert, 'cert', place),
    key: key === undefined ? null : readPem(key, 'key', place),
  };
  if (files.ca !== null) checkCertificate(files.ca, 'ca', place);
  if (files.cert !== null) checkCertificate(files.cert, 'cert', place);
  if (files.cert !== null && files.key !== null) checkPair(files.cert, files.key, place);
  return files;
}

/** A path in the file starts from the file's directory. */
function readPem(path: string, field: string, place: PlaceInFile): PemFile {
  const absolute = resolve(dirname(place.file ?? '.'), path);
  try {
    return { path: absolute, text: readFileSync(absolute, 'utf8') };
  } catch (cause) {
    throw faultAt(place, field, `the file named by tls.${field} cannot be read; name a readable file in PEM`, cause);
  }
}

function checkCertificate({ text }: PemFile, field: string, place: PlaceInFile): void {
  try {
    const [, ...certificates] = text.split(BEGIN_CERTIFICATE);
    if (certificates.length === 0) throw new Error('no certificate begins in it');
    // Each by itself: Node silently skips unreadable ones behind the first.
    certificates.map((certificate) => new X509Certificate(`${BEGIN_CERTIFICATE}${certificate}`));
  } catch (cause) {
    const problem = `the file named by tls.${field} holds no certificate in PEM; write one that begins with "${BEGIN_CERTIFICATE}"`;
    throw faultAt(place, field, problem, cause);
  }
}

function checkPair(cert: PemFile, key: PemFile, place: PlaceInFile): void {
  try {
    createSecureContext({ cert: cert.text, key: key.text });
  } catch (cause) {
    const problem =
      'the file named by tls.key holds no key of the certificate in tls.cert; name its private key, in PEM and without a passphrase';
    throw faultAt(place, 'key', problem, cause);
  }
}

function faultAt({ name, tree }: PlaceInFile, field: string, problem: string, cause?: unknown): ConfigFault {
  return new ConfigFault(tree.where(['providers', name, 'tls', field]), problem, { cause });
}
