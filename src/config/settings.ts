import type { Config, Origin } from './config.ts';
import { NOT_SET, settingTexts } from './setting-texts.ts';

/** A setting as people may see it. */
export interface Setting {
  /** Its dotted name in the file. */
  readonly name: string;
  /** In force now. A secret is "set" or "not set"; passwords in addresses are hidden. */
  readonly value: string;
  readonly origin: Origin;
  /** Its other value, which counts from the next start on; null if there is none. */
  readonly waiting: string | null;
}

/** The settings of a running instance, without the models. */
export interface Settings {
  /** The config file; null if there is none. */
  readonly file: string | null;
  /** Why the file as it is now is not in force; null if it is. */
  readonly problem: string | null;
  readonly settings: readonly Setting[];
}

/** What a waiting value is called that is shown as the one in force is, because what differs is hidden. */
const OTHER_SECRET = 'another secret';

/** The settings in force, and what the file says otherwise, as the last reload found. */
export class SettingsInForce {
  #running: Config;
  #waiting: ReadonlyMap<string, string> = new Map();
  #problem: string | null = null;

  constructor(config: Config) {
    this.#running = config;
  }

  /** The configuration that runs, the one that was read for it, and the settings of that which wait for a start. */
  adopted(running: Config, read: Config, left: readonly string[]): void {
    const [old, now] = [settingTexts(running), settingTexts(read)];
    const waiting = left.map((name): [string, string] => {
      const text = now.get(name) ?? NOT_SET;
      return [name, text === old.get(name) ? OTHER_SECRET : text];
    });
    this.#running = running;
    this.#waiting = new Map(waiting);
    this.#problem = null;
  }

  /** The configuration could not be read or taken over. Nobody knows which settings of it would wait for a start. */
  failed(problem: string): void {
    this.#waiting = new Map();
    this.#problem = problem;
  }

  report(): Settings {
    const { file, origins } = this.#running;
    const texts = settingTexts(this.#running);
    const names = [...new Set([...texts.keys(), ...this.#waiting.keys()])];
    const bySection = Map.groupBy(names, (name) => name.split('.')[0]);
    const settings = [...bySection.values()].flat().map((name) => ({
      name,
      value: texts.get(name) ?? NOT_SET,
      origin: origins[name] ?? 'default',
      waiting: this.#waiting.get(name) ?? null,
    }));
    return { file, problem: this.#problem, settings };
  }
}
