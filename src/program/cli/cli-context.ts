import type { Command } from 'commander';
import { createAdminClient, type AdminClient } from '../../control/admin/client.ts';
import type { UpgradePlan } from '../../control/doctor/upgrade-plan.ts';
import type { AdminClientOptions } from '../../control/admin/client/send.ts';
import { locateDataDirectory, type ConfigFlags, type ConfigSources } from '../../config/load-config.ts';
import type { Config, ProviderConfig } from '../../config/config.ts';
import { programCommand, withCommand } from '../../config/program-command.ts';
import type { Environment } from '../../config/variables.ts';
import type { BackupSource } from '../backup-files/backup-file.ts';
import { CliFailure } from './cli-failure.ts';
import { locateInstance } from './instance.ts';
import type { ModelList, ProviderProbe } from './provider-findings.ts';
import { plain } from './text-layout.ts';

// The context of every command: its surroundings, the program's parts that it may start, and its output.

/** The parts of the program that a command can start. */
export interface ProgramParts {
  /** Serves until the process is asked to stop. `read` reads the configuration again. */
  start(config: Config, read: () => Promise<Config>): Promise<void>;
  /** Probes the configured providers: whether each is reachable, accepts its key and has its models. */
  probe(config: Config): Promise<readonly ProviderProbe[]>;
  /** Lists the models of a provider that may not be configured yet. */
  listModels(provider: ProviderConfig): Promise<ModelList>;
  /** Fills an empty data directory or database from a backup. */
  restore(config: Config, source: BackupSource): Promise<void>;
  /** Restores a backup into a database that is gone afterwards, and proves its ledger. */
  verifyBackup(config: Config, source: BackupSource): Promise<LedgerReport>;
  /** Says what a start would do with the schema of the database. */
  planUpgrade(config: Config): Promise<UpgradePlan>;
  /** Upgrades the schema of the database, and names the files that it has applied. */
  migrate(config: Config): Promise<Pick<UpgradePlan, 'migrations' | 'functions'>>;
}

export type LedgerReport = Awaited<ReturnType<AdminClient['verifyLedger']>>;

export interface Surroundings {
  readonly env: Environment;
  readonly cwd: string;
  out(text: string): void;
  /** Resolves once the output has been read, or its reader is gone. */
  drained(): Promise<void>;
  err(text: string): void;
  /** Aborted once the command is to end: by Ctrl-C, SIGTERM, or a closed output pipe. */
  stopped(): AbortSignal;
  /** The line typed in answer to the question; null if there is no terminal. */
  ask(question: string): Promise<string | null>;
  /** The same, and what is typed is not shown. */
  askSecret(question: string): Promise<string | null>;
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly url?: string;
  readonly data?: string;
  readonly config?: string;
}

/** The reason of a failure: a code for programs, a sentence for people, and the wrong parameter, if there is one. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
}

// Codes of failures of the command itself. They are printed for programs only.
const OWN_CODES = new Set(['USAGE', 'UNREACHABLE', 'INVALID_CONFIG', 'FAILED', 'BUG']);

export class CliContext {
  readonly surroundings: Surroundings;
  readonly parts: ProgramParts;
  readonly #isJsonWanted: boolean;
  /** How the program is run from here. */
  readonly command: string;
  /** The exit code of a command that ran to its end. */
  exitCode = 0;

  constructor(surroundings: Surroundings, parts: ProgramParts, isJsonWanted: boolean) {
    this.surroundings = surroundings;
    this.parts = parts;
    this.#isJsonWanted = isJsonWanted;
    this.command = programCommand(surroundings.env);
  }

  /** Prints a result: `value` as one line of JSON with --json, else the text. */
  print(options: GlobalOptions, value: unknown, text: string): void {
    this.surroundings.out(options.json === true ? `${JSON.stringify(value)}\n` : this.asRun(text));
  }

  /** A text with its commands as they are run from here. */
  asRun(text: string): string {
    return withCommand(text, this.command);
  }

  /** Reports a bad result on stderr and sets the exit code to 1. The command continues. */
  complain(message: string): void {
    this.fail({ code: 'FAILED', message });
    this.exitCode = 1;
  }

  /** Prints a failure to stderr: one line for people, or with --json one object under `error`, as in the API. */
  fail({ code, message, param = null }: Failure): void {
    // The message of a bug includes its stack, which spans lines.
    const text = code === 'BUG' ? message : plain(message);
    const line = `faregate: ${this.asRun(text)}${OWN_CODES.has(code) ? '' : ` (${code})`}`;
    this.surroundings.err(`${this.#isJsonWanted ? JSON.stringify({ error: { code, message, param } }) : line}\n`);
  }

  /**
   * Asks before an irreversible action, unless --yes was given.
   * @throws CliFailure if the answer is not yes, or there is no terminal
   */
  async confirm(what: string, { yes }: { readonly yes?: boolean | undefined }): Promise<void> {
    if (yes === true) return;
    const answer = await this.surroundings.ask(`${plain(what)} Continue? [y/N] `);
    if (answer === null) throw new CliFailure(`${what} To confirm, repeat the command with --yes`);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliFailure('nothing was done');
  }

  /**
   * A client of the running instance named by the options, the environment or the data directory. @throws CliFailure,
   * ConfigFault
   */
  connect(options: GlobalOptions, more: Omit<AdminClientOptions, 'url' | 'token'> = {}): AdminClient {
    const instance = locateInstance(options, this.surroundings.env, this.dataDirectory(options));
    return createAdminClient({ ...instance, ...more });
  }

  dataDirectory(options: GlobalOptions): string {
    return locateDataDirectory(this.configSources(options));
  }

  /** The sources of a configuration; `own` are the command's own flags. */
  configSources(options: GlobalOptions, own: ConfigFlags = {}): ConfigSources {
    return {
      flags: { ...own, config: options.config, data: options.data },
      env: this.surroundings.env,
      cwd: this.surroundings.cwd,
    };
  }
}

/** The options of every command, at any place in the line. */
export function globalsOf(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions & Record<string, unknown>>();
}
