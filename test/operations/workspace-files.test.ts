import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAdminClient } from '../../src/control/admin/client.ts';
import { makeChanges, planWorkspace } from '../../src/program/cli/workspace-file/plan.ts';
import { readWorkspaceFiles } from '../../src/program/cli/workspace-file/read-file.ts';
import { type Program, startProgram } from '../support/program.ts';

// Workspaces kept as files: what differs is shown, and made as the files say.

let program: Program;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.dispose());

let made = 0;
let name: string;
let file: string;
beforeEach(() => {
  made += 1;
  name = `acme ${made}`;
  file = join(program.data, `workspaces-${made}.yaml`);
});

interface Result {
  readonly changes: readonly { kind: string; name: string; change: string; fields: readonly object[] }[];
  readonly kept: readonly { kind: string; name: string }[];
  readonly made: number;
  readonly notes: readonly string[];
}

const declare = (sections: string): Promise<void> => writeFile(file, `workspaces:\n  - name: ${name}\n${sections}`);

async function diff(...options: readonly string[]): Promise<Result> {
  const { code, stdout, stderr } = await program.cli('diff', file, '--json', ...options);
  expect(stderr).toBe('');
  const result = JSON.parse(stdout) as Result;
  expect(code).toBe(result.changes.length === 0 ? 0 : 2);
  return result;
}

const apply = (...options: readonly string[]): Promise<Result> => program.json('apply', file, '--yes', ...options);

const steps = ({ changes }: Result): readonly string[] => changes.map(({ change, name: of }) => `${change} ${of}`);

const FULL = `    projects:
      - name: search
        requests_per_minute: 600
        budget_usd: "100"
        budget_period: week
        models: [sandbox/*]
        report_cost: true
      - name: support
    members:
      - email: Ada@Example.com
        role: owner
    alert_rules:
      - name: Search is costly
        kind: project_budget
        project: search
        percent: 80
        mail_roles: [owner]
        mail_to: [ops@example.com]
      - name: Credit is low
        kind: balance_below
        threshold_usd: "20"
        enabled: false
`;

test('a workspace that a file declares is made as the file says, and applying it again changes nothing', async () => {
  await declare(FULL);
  expect(steps(await diff())).toEqual([
    `create ${name}`,
    'create search',
    'create support',
    'invite ada@example.com',
    'create Search is costly',
    'create Credit is low',
  ]);
  expect((await apply()).notes).toEqual([expect.stringMatching(/^ada@example\.com is invited by this link: http/)]);
  const { data: projects } = await program.admin.listProjects(name);
  expect(projects).toMatchObject([
    {
      name: 'search',
      requests_per_minute: 600,
      budget_usd: '100.00',
      budget_period: 'week',
      models: ['sandbox/*'],
      report_cost: true,
    },
    { name: 'support', requests_per_minute: null, budget_usd: null },
  ]);
  const { data: rules } = await program.admin.listAlertRules(name);
  expect(rules.find((rule) => rule.name === 'Search is costly')).toMatchObject({ subject_name: 'search', percent: 80 });
  expect(rules.find((rule) => rule.name === 'Credit is low')).toMatchObject({ threshold_usd: '20.00', enabled: false });

  expect(await diff()).toMatchObject({ changes: [] });
  expect(await apply()).toMatchObject({ made: 0, changes: [] });
  const text = await program.cli('diff', file);
  expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The workspaces are as the files say\.\n/) });
});

test('a setting that is taken out of a file is again as nobody has decided it', async () => {
  await declare(FULL);
  await apply();
  await declare('    projects:\n      - name: search\n        budget_usd: "100"\n      - name: support\n');
  expect((await diff()).changes).toEqual([
    {
      workspace: name,
      kind: 'project',
      name: 'search',
      change: 'update',
      fields: [
        { field: 'requests_per_minute', from: '600', to: null },
        { field: 'budget_period', from: 'week', to: 'month' },
        { field: 'models', from: 'sandbox/*', to: null },
        { field: 'report_cost', from: 'true', to: 'false' },
      ],
    },
  ]);
  await apply();
  const { data } = await program.admin.listProjects(name);
  expect(data[0]).toMatchObject({ requests_per_minute: null, models: null, budget_usd: '100.00', report_cost: false });
});

test('a budget is raised by a file until its end, and a raise of which the file says nothing is left as it is', async () => {
  const section = (more = '') =>
    `    projects:\n      - name: search\n        budget_usd: "100"\n${more && `        ${more}\n`}`;
  const until = `${new Date().getUTCFullYear() + 1}-12-31`;
  const raise = `raised_limit_usd: "250"\n        raised_until: "${until}"`;
  await declare(section(raise));
  await apply();
  const raised = { raised_limit_usd: '250.00', raised_until: `${until}T00:00:00.000Z` };
  const shown = async () => (await program.admin.listProjects(name)).data[0];
  expect(await shown()).toMatchObject({ budget_usd: '100.00', ...raised });
  expect(await diff()).toMatchObject({ changes: [] });
  await declare(section(raise).replace('"100"', '"120"'));
  await apply();
  expect(await shown()).toMatchObject({ budget_usd: '120.00', ...raised });
  await declare(section().replace('"100"', '"120"'));
  expect(await diff()).toMatchObject({ changes: [] });
  await declare(section('raised_limit_usd: "250"\n        raised_until: "2020-01-01"').replace('"100"', '"120"'));
  expect(await diff()).toMatchObject({ changes: [] });
  const { stdout } = await program.cli('workspace', 'export', name);
  expect(stdout).toContain(`raised_until: ${until}`);
  await declare(section('raised_limit_usd: "250"'));
  expect(await program.cli('diff', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('raised_until') });
});

test('what a section leaves out stays, unless it is pruned; what is pruned comes back with its keys', async () => {
  await declare(FULL);
  await apply();
  const [search] = (await program.admin.listProjects(name)).data;
  const key = await program.admin.createKey(search?.id ?? '', { name: 'kept' });
  await declare('    projects:\n      - name: support\n    members: []\n');
  expect(await diff()).toMatchObject({
    changes: [],
    kept: [{ name: 'search' }, { kind: 'member', name: 'ada@example.com' }],
  });
  expect(steps(await diff('--prune'))).toEqual(['archive search', 'remove ada@example.com']);
  await apply('--prune');
  expect((await program.admin.listProjects(name)).data.map((project) => project.name)).toEqual(['support']);
  expect((await program.admin.listInvitations(name)).data).toEqual([]);
  // A file without a section of rules says nothing of them.
  expect((await program.admin.listAlertRules(name)).data).not.toEqual([]);

  await declare(FULL);
  expect(steps(await diff())).toEqual(['restore search', 'invite ada@example.com']);
  await apply();
  expect(await program.admin.showKey(key.id)).toMatchObject({ project_id: search?.id, revoked_at: null });
  expect(await diff()).toMatchObject({ changes: [] });
});

test('a rule that is to watch something else is replaced; any other change leaves the rule its id', async () => {
  await declare(FULL);
  await apply();
  const idOf = async (rule: string): Promise<string | undefined> =>
    (await program.admin.listAlertRules(name)).data.find((each) => each.name === rule)?.id;
  const [costly, low] = [await idOf('Search is costly'), await idOf('Credit is low')];
  await declare(FULL.replace('project: search', 'project: support').replace('"20"', '"30"'));
  expect(steps(await diff())).toEqual(['replace Search is costly', 'update Credit is low']);
  await apply();
  expect(await idOf('Credit is low')).toBe(low);
  expect(await idOf('Search is costly')).not.toBe(costly);
  expect(await diff()).toMatchObject({ changes: [] });
});

test('what export prints of a workspace differs in nothing from it', async () => {
  await declare(FULL);
  await apply();
  const { stdout } = await program.cli('workspace', 'export', name);
  await writeFile(file, stdout);
  expect(await diff('--prune')).toMatchObject({ changes: [], kept: [] });
  expect(await program.cli('workspace', 'export', name)).toMatchObject({ code: 0, stdout });
});

test('a change that somebody makes after the plan was shown is not undone by it', async () => {
  await declare(FULL);
  await apply();
  await declare('    projects:\n      - name: search\n      - name: support\n        concurrency: 5\n');
  const [declared] = readWorkspaceFiles([file], { cwd: '/', env: {} });
  if (declared === undefined) throw new Error('the file declares a workspace');
  const plan = await planWorkspace(program.admin, declared, false);
  const [search] = (await program.admin.listProjects(name)).data;
  await program.admin.updateProject(search?.id ?? '', { requests_per_minute: 7 });
  const instance = { url: program.url, token: program.operatorToken };
  const connect = (version?: number) => createAdminClient({ ...instance, version });
  await expect(makeChanges(connect, [plan], false)).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
    message: expect.stringMatching(/^to update the project "search" of acme .* Nothing was changed\.$/),
  });
  expect(await program.admin.showProject(search?.id ?? '')).toMatchObject({ requests_per_minute: 7 });
});

test('a plan is not made without a yes', async () => {
  await declare(FULL);
  const { code, stdout, stderr } = await program.cli('apply', file);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('repeat the command with --yes') });
  expect(stdout).toContain('search');
  await expect(program.admin.showWorkspace(name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each([
  ['    project: []\n', /:3:5: unknown key "project"; did you mean "projects"\?/],
  [
    '    projects:\n      - name: a\n        budget_usd: 5\n',
    /:5:\d+: workspaces\[0\]\.projects\[0\]\.budget_usd is a number; must be a decimal string/,
  ],
  [
    '    projects:\n      - name: a\n      - name: a\n',
    /:5:\d+: .*projects\[1\]\.name is not the first; it is in projects before/,
  ],
  [
    '    members:\n      - email: a@b.example\n        role: boss\n',
    /:5:\d+: .*role has an unknown value; must be one of owner/,
  ],
  [
    '    alert_rules:\n      - name: a\n        kind: runway\n        percent: 5\n',
    /:6:\d+: .*percent is not usable; rules of the kind runway take days/,
  ],
  ['    alert_rules:\n      - name: a\n        kind: runway\n', /days is missing; rules of the kind runway take days/],
])(
  'a mistake in a file is named with its place and what would be right, and nothing is changed: %j',
  async (sections, says) => {
    await declare(sections);
    const { code, stdout, stderr } = await program.cli('apply', file, '--yes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
    await expect(program.admin.showWorkspace(name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  },
);

test('a rule is about a project that the workspace has, or the file declares', async () => {
  await declare(FULL.replace('project: search', 'project: nowhere'));
  const { code, stderr } = await program.cli('diff', file);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('about the project "nowhere"') });
});

test('a workspace is in one file alone', async () => {
  await declare(FULL);
  const { code, stderr } = await program.cli('diff', file, file);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${name} is in two files`) });
});
