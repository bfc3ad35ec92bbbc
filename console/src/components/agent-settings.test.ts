import { expect, test } from 'vitest';
import { agentSettings } from './agent-settings.ts';

const ACCESS = { origin: 'https://gate.example', model: 'vendor/m-1', apiKey: null };

test('Claude Code gets the address without a path, the key and the model', () => {
  expect(agentSettings('claude-code', ACCESS)).toBe(
    [
      'export ANTHROPIC_BASE_URL=https://gate.example',
      'export ANTHROPIC_AUTH_TOKEN="$FAREGATE_KEY"',
      'claude --model vendor/m-1',
    ].join('\n'),
  );
  const own = agentSettings('claude-code', { ...ACCESS, apiKey: 'fg_live_0', model: "it's" });
  expect(own).toContain('export ANTHROPIC_AUTH_TOKEN=fg_live_0');
  expect(own).toContain(`claude --model 'it'\\''s'`);
});

test('Codex gets a provider that speaks Responses, and no key, which it takes from the environment alone', () => {
  const settings = agentSettings('codex', { ...ACCESS, apiKey: 'fg_live_0', model: 'a"b\\c' });
  expect(settings).toContain('model = "a\\"b\\\\c"');
  expect(settings).toContain('base_url = "https://gate.example/v1"\nenv_key = "FAREGATE_KEY"\nwire_api = "responses"');
  expect(settings).not.toContain('fg_live_0');
});
