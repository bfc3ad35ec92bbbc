import { type Stage, type StageOptions, startStage } from './stage.ts';

/** What one round has measured, by a name that ends in its unit. */
export type Round = Readonly<Record<string, number>>;

export interface BenchSettings {
  readonly rounds: number;
  /** How long each load is measured. */
  readonly seconds: number;
  /** Scales what takes long by its size alone: 100,000 keys, say. 1 in earnest, less for a quick look. */
  readonly scale: number;
  /** Hears what is being done. */
  readonly progress: (line: string) => void;
}

/** A way to load the gateway. */
export interface Profile {
  readonly name: string;
  readonly about: string;
  run(settings: BenchSettings): Promise<readonly Round[]>;
}

/** A profile whose rounds share one started stage, which is verified after each. */
export function stagedProfile(
  name: string,
  about: string,
  round: (stage: Stage, settings: BenchSettings) => Promise<Round>,
  options: StageOptions = {},
): Profile {
  return {
    name,
    about,
    async run(settings) {
      const stage = await startStage(options);
      try {
        return await allRounds(name, settings, async () => {
          const measured = await round(stage, settings);
          await stage.verify();
          return measured;
        });
      } finally {
        await stage.stop();
      }
    },
  };
}

/** A profile each of whose rounds starts what it needs, verifies it and stops it. */
export function freshProfile(name: string, about: string, round: (settings: BenchSettings) => Promise<Round>): Profile {
  return { name, about, run: (settings) => allRounds(name, settings, () => round(settings)) };
}

async function allRounds(name: string, settings: BenchSettings, round: () => Promise<Round>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 1; number <= settings.rounds; number += 1) {
    settings.progress(`${name}: round ${number} of ${settings.rounds}`);
    rounds.push(await round());
  }
  return rounds;
}
