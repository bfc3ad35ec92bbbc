import type * as z from 'zod';
import type { ProviderBasics, ProviderConfig } from '../config.ts';
import type { Environment } from '../variables.ts';
import type { YamlTree } from '../yaml-tree.ts';

/** A provider's place in the file, and what else its settings are read from. */
export interface PlaceInFile {
  readonly name: string;
  readonly tree: YamlTree;
  /** Null: there is no file. */
  readonly file: string | null;
  readonly env: Environment;
}

/** The config file's description of one kind of provider. */
export interface KindOfProvider<Config extends ProviderConfig, Section extends z.ZodType> {
  /** Its keys in the file. Address, key and limits have the names that all kinds use. */
  readonly section: Section;
  /** Further settings of this kind. @throws ConfigFault if a file that it names can't be read */
  own(settings: z.output<Section>, place: PlaceInFile): Omit<Config, keyof ProviderBasics>;
  /** The same in the file's form; null values are left out. */
  describe(provider: Config): Readonly<Record<string, unknown>>;
}
