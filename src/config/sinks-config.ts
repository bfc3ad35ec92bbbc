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
    return { ...basics, kind: sink.kind, path: resolve(dirname(file ?? '.'), sink.path), rotateBytes: sink.rotate_at };
  });
}

/** Sinks in the form of the file, secrets hidden. */
export function describeSinks(sinks: readonly SinkConfig[]): Record<string, unknown> {
  return Object.fromEntries(
    sinks.map((sink) => [
      sink.name,
      {
        kind: sink.kind,
        path: sink.path,
        rotate_at: formatSize(sink.rotateBytes),
        deliver_every: formatDuration(sink.deliverEveryMs),
        timeout: formatDuration(sink.timeoutMs),
        queue_max: formatSize(sink.queueBytesMax),
      },
    ]),
  );
}
