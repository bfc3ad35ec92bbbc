import { dirname, resolve } from 'node:path';
import type { ConfigFile } from './config-file.ts';
import type { SinkConfig } from './config.ts';
import { formatDuration, formatSize } from './units.ts';

/** The sinks of the file. Paths start from the file's directory. */
export function sinksOf({ path: file, settings }: Pick<ConfigFile, 'path' | 'settings'>): readonly SinkConfig[] {
  return Object.entries(settings.sinks).map(([name, sink]): SinkConfig => {
    const basics = {
      name,
      deliverEveryMs: sink.deliver_every,
      timeoutMs: sink.timeout,
      queueBytesMax: sink.queue_max,
    };
    switch (sink.kind) {
      case 'file': {
        const path = resolve(dirname(file ?? '.'), sink.path);
        return { ...basics, kind: sink.kind, path, rotateBytes: sink.rotate_at };
      }
      case 's3': {
        const { kind, endpoint, region, bucket, prefix = null } = sink;
        const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = sink;
        return { ...basics, kind, endpoint, region, bucket, prefix, accessKeyId, secretAccessKey };
      }
      case 'otlp':
        return { ...basics, kind: sink.kind, endpoint: sink.endpoint, headers: sink.headers };
    }
  });
}

/** Sinks in the form of the file; `hidden` stands for a secret. */
export function describeSinks(sinks: readonly SinkConfig[], hidden: string): Record<string, unknown> {
  return Object.fromEntries(
    sinks.map((sink) => [
      sink.name,
      {
        kind: sink.kind,
        ...describeOwn(sink, hidden),
        deliver_every: formatDuration(sink.deliverEveryMs),
        timeout: formatDuration(sink.timeoutMs),
        queue_max: formatSize(sink.queueBytesMax),
      },
    ]),
  );
}

/** What sinks of other kinds don't have. */
function describeOwn(sink: SinkConfig, hidden: string): Record<string, unknown> {
  switch (sink.kind) {
    case 'file':
      return { path: sink.path, rotate_at: formatSize(sink.rotateBytes) };
    case 's3': {
      const { endpoint, region, bucket, prefix, accessKeyId } = sink;
      const place = { endpoint, region, bucket, ...(prefix === null ? {} : { prefix }) };
      return { ...place, access_key_id: accessKeyId, secret_access_key: hidden };
    }
    case 'otlp': {
      const names = Object.keys(sink.headers);
      const headers = Object.fromEntries(names.map((name) => [name, hidden]));
      return { endpoint: sink.endpoint, ...(names.length === 0 ? {} : { headers }) };
    }
  }
}

/** The secrets of sinks, by their dotted names. */
export function sinkSecrets(sinks: readonly SinkConfig[]): readonly (readonly [name: string, secret: string])[] {
  return sinks.flatMap((sink): (readonly [string, string])[] => {
    const name = `sinks.${sink.name}`;
    if (sink.kind === 's3') return [[`${name}.secret_access_key`, sink.secretAccessKey]];
    if (sink.kind !== 'otlp') return [];
    return Object.entries(sink.headers).map(([header, value]) => [`${name}.headers.${header}`, value]);
  });
}
