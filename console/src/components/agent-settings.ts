import { shellWord } from '../format/shell-word.ts';
import { KEY_VARIABLE } from './request-code.ts';

// What a coding agent needs to work through the gateway.

export const AGENTS = [
  { id: 'claude-code', label: 'Claude Code' },
  { id: 'codex', label: 'Codex' },
] as const;

export type CodingAgent = (typeof AGENTS)[number]['id'];

export interface AgentAccess {
  /** Without "/v1": the origin by which the page was reached. */
  readonly origin: string;
  readonly model: string;
  /** The key itself, while it is on screen; null: it comes from the environment. */
  readonly apiKey: string | null;
}

function claudeCodeCommands({ origin, model, apiKey }: AgentAccess): string {
  return [
    `export ANTHROPIC_BASE_URL=${origin}`,
    `export ANTHROPIC_AUTH_TOKEN=${apiKey ?? `"$${KEY_VARIABLE}"`}`,
    `claude --model ${shellWord(model)}`,
  ].join('\n');
}

/** A basic string of TOML has the escapes of JSON. */
function codexSettings({ origin, model }: AgentAccess): string {
  return [
    '# ~/.codex/config.toml',
    `model = ${JSON.stringify(model)}`,
    'model_provider = "faregate"',
    '',
    '[model_providers.faregate]',
    'name = "Faregate"',
    `base_url = "${origin}/v1"`,
    `env_key = "${KEY_VARIABLE}"`,
    'wire_api = "responses"',
  ].join('\n');
}

/** Commands for a shell, or the lines of a file of settings. */
export function agentSettings(agent: CodingAgent, access: AgentAccess): string {
  return agent === 'codex' ? codexSettings(access) : claudeCodeCommands(access);
}
