import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { agentSettings, type CodingAgent } from '../../console/src/components/agent-settings.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';

// Coding agents as they are, with a base URL and a key, and a model behind the gate that speaks chat alone: each edits a
// file by a tool call, in two turns. `npm run clients:agents` installs them and runs this.

/** Where they are installed. */
const AGENTS = process.env['FAREGATE_AGENTS'];

const TASK = 'Append the word world to hello.txt';
const SHELLS: Readonly<Record<string, object>> = {
  exec_command: { cmd: 'printf world >> hello.txt' },
  Bash: { command: 'printf world >> hello.txt', description: 'Append a word' },
  bash: { command: 'printf world >> hello.txt', description: 'Append a word' },
};

interface ChatBody {
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A chat model that calls the shell once, and then says that it is done. */
const model: Script = (response, request) => {
  const { messages, tools = [] } = JSON.parse(request.body.toString()) as ChatBody;
  const name = tools.map((tool) => tool.function.name).find((each) => each in SHELLS);
  const isDone = name === undefined || messages.some(({ role }) => role === 'tool');
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name, arguments: JSON.stringify(SHELLS[name ?? '']) },
  };
  const chunks = [
    { choices: [{ index: 0, delta: isDone ? { content: 'The word is appended.' } : { tool_calls: [call] } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: isDone ? 'stop' : 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
  ];
  const common = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify({ ...common, ...chunk })}\n\n`);
  response.end('data: [DONE]\n\n');
};

interface Stage {
  readonly program: Program;
  readonly key: string;
  readonly workspaceId: string;
  /** The agent's home; its work is in a directory below. */
  readonly home: string;
  readonly work: string;
}

async function startStage(): Promise<Stage> {
  const upstream = await startScriptedUpstream(model);
  const program = await startProgram({
    config: `
providers: { chat: { kind: openai, base_url: "${upstream.origin}/v1" } }
models:
  - { id: agent-model, routes: [{ provider: chat, model: m }], price: { input: "1", output: "10" },
      context_window: 400000, max_output: 64000 }
`,
    beside: [upstream],
  });
  const { key, workspaceId } = await program.createTenant();
  const home = await mkdtemp(join(tmpdir(), 'agent-'));
  const work = join(home, 'work');
  await mkdir(work);
  await writeFile(join(work, 'hello.txt'), 'hello ');
  return { program, key, workspaceId, home, work };
}

/** What the console says that an agent needs. */
const settingsOf = ({ program, key }: Stage, agent: CodingAgent): string =>
  agentSettings(agent, { origin: program.url, model: 'agent-model', apiKey: key });

const CLIENTS = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

/** The settings that docs/clients.md has for an agent: the block of that language, or the one that has that line. */
function documented({ program }: Stage, language: string, mark: string): string {
  const blocks = CLIENTS.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  const block = [...blocks].find(([, name, content = '']) => name === language && content.includes(mark));
  if (block?.[2] === undefined) throw new Error(`docs/clients.md has no block of ${language} with "${mark}"`);
  return block[2].replaceAll('http://127.0.0.1:8080', program.url).replaceAll('sandbox/echo', 'agent-model');
}

/** Runs a shell's commands, in which the agents and the task have names. */
async function runAgent({ home, work }: Stage, commands: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { PATH, LANG } = process.env;
  const ran = promisify(execFile)('sh', ['-c', commands], {
    cwd: work,
    env: { PATH: `${join(AGENTS ?? '', 'node_modules/.bin')}:${PATH}`, LANG, HOME: home, TASK, ...env },
    timeout: 100_000,
  });
  ran.child.stdin?.end();
  return (await ran).stdout;
}

/** The requests were answered in this dialect and paid, and the file was edited. */
async function expectEdited({ program, workspaceId, work }: Stage, dialect: string, requests = 2): Promise<void> {
  expect(await readFile(join(work, 'hello.txt'), 'utf8')).toBe('hello world');
  const { data } = await program.admin.listReceipts(workspaceId, { limit: 10 });
  const paid = { dialect, outcome: 'completed', charge_nano_usd: '200000' };
  expect(data).toMatchObject(Array.from({ length: requests }, () => paid));
}

test.runIf(AGENTS === undefined)('coding agents are not here: npm run clients:agents gets them', () => {
  expect(AGENTS).toBeUndefined();
});

test.runIf(AGENTS !== undefined)('Codex edits a file through a model that speaks chat', async () => {
  const stage = await startStage();
  const { key, home } = stage;
  try {
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex/config.toml'), settingsOf(stage, 'codex'));
    const command = 'codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "$TASK"';
    expect(await runAgent(stage, command, { FAREGATE_KEY: key })).toContain('The word is appended.');
    await expectEdited(stage, 'responses');
  } finally {
    await stage.program.dispose();
  }
});

test.runIf(AGENTS !== undefined)('Claude Code edits a file through a model that speaks chat', async () => {
  const stage = await startStage();
  try {
    const commands = `${settingsOf(stage, 'claude-code')} -p "$TASK" --dangerously-skip-permissions`;
    // It refuses to skip questions for root anywhere else.
    const env = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1' };
    expect(await runAgent(stage, commands, env)).toContain('The word is appended.');
    await expectEdited(stage, 'messages');
  } finally {
    await stage.program.dispose();
  }
});

// One of its requests asks for a title of the session.
const OPENCODE_REQUESTS = 3;

test.runIf(AGENTS !== undefined)('opencode edits a file by chat, and its receipts name one session', async () => {
  const stage = await startStage();
  const { program, key, workspaceId, work } = stage;
  try {
    await writeFile(join(work, 'opencode.json'), documented(stage, 'json', '@ai-sdk/openai-compatible'));
    const env = {
      FAREGATE_KEY: key,
      // It asks other servers otherwise.
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    };
    expect(await runAgent(stage, 'opencode run "$TASK"', env)).toContain('The word is appended.');
    await expectEdited(stage, 'chat_completions', OPENCODE_REQUESTS);
    const { data } = await program.admin.listReceipts(workspaceId, { limit: 10 });
    const sessions = new Set(data.map(({ session }) => session));
    expect([...sessions]).toEqual([expect.stringMatching(/^ses_/)]);
  } finally {
    await stage.program.dispose();
  }
});

test.runIf(AGENTS !== undefined)('Continue edits a file by chat', async () => {
  const stage = await startStage();
  const { key, home } = stage;
  try {
    await mkdir(join(home, '.continue'));
    await writeFile(join(home, '.continue/config.yaml'), documented(stage, 'yaml', 'apiBase:'));
    const command = 'cn --config ~/.continue/config.yaml --auto -p "$TASK"';
    expect(await runAgent(stage, command, { FAREGATE_KEY: key })).toContain('The word is appended.');
    await expectEdited(stage, 'chat_completions');
  } finally {
    await stage.program.dispose();
  }
});
