import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../repository/tree.ts';

// The chart by Helm and kubeconform. `npm run chart:try` installs both, and names them here.

const { HELM: helm = '', KUBECONFORM: kubeconform = '', KUBERNETES_SCHEMAS: schemas = '' } = process.env;
const CHART = join(ROOT, 'deploy/chart');
const EXAMPLES = readdirSync(join(CHART, 'examples'));

function runTool(
  program: string,
  args: readonly string[],
  input = '',
): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input });
  return { code: status, text: stdout + stderr };
}

const valuesOf = (example: string): string => join(CHART, 'examples', example);
const template = (...args: readonly string[]) => runTool(helm, ['template', 'gateway', CHART, ...args]);

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: never;
}

/** What the chart makes of an example. */
function resourcesOf(example: string): readonly Resource[] {
  const { code, text } = template('--values', valuesOf(example));
  if (code !== 0) throw new Error(text);
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

describe.runIf(helm !== '')('the chart', () => {
  test.each(EXAMPLES)(
    'with %s it passes the strict check of Helm, and Kubernetes knows each field that it makes',
    (example) => {
      expect(runTool(helm, ['lint', '--strict', '--values', valuesOf(example), CHART])).toMatchObject({ code: 0 });
      const rendered = template('--values', valuesOf(example));
      expect(rendered.code).toBe(0);
      const checked = runTool(kubeconform, ['-strict', '-summary', '-schema-location', schemas], rendered.text);
      expect(checked).toMatchObject({ code: 0, text: expect.stringMatching(/Invalid: 0, Errors: 0, Skipped: 0/) });
    },
  );

  test('a field that Kubernetes does not know is noticed', () => {
    const { text } = template('--values', valuesOf('smallest.yaml'));
    const wrong = text.replace('podManagementPolicy:', 'podManagmentPolicy:');
    expect(wrong).not.toBe(text);
    expect(runTool(kubeconform, ['-strict', '-schema-location', schemas], wrong).code).toBe(1);
  });

  test.each([
    ['no Secret', [], 'secretName'],
    ['an unknown value', ['--set', 'secretName=a,replica=3'], 'replica'],
    ['no instance', ['--set', 'secretName=a,replicas=0'], 'replicas'],
    ['a text for a number', ['--set-string', 'secretName=a,workers=two'], 'workers'],
    ['an Ingress without a host', ['--set', 'secretName=a,ingress.enabled=true'], 'host'],
    ['a password in the config file', ['--set', 'secretName=a,config.database.url=postgres://u:p@h/d'], 'database'],
    ['a variable that the chart sets', ['--set', 'secretName=a,env[0].name=DATABASE_URL'], 'env'],
    [
      'a volume that several instances share',
      ['--set', 'secretName=a,persistence.accessModes={ReadWriteMany}'],
      'accessModes',
    ],
  ])('a value of the chart that can not be right is refused with its place: %s', (_, args, place) => {
    const { code, text } = template(...args);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(place) });
    expect(text).toMatch(/schema/);
  });

  test('the schema is migrated before instances are replaced, one at a time, and each keeps its volume', () => {
    const resources = resourcesOf('production.yaml');
    const job = resources.find(({ kind }) => kind === 'Job');
    expect(job).toMatchObject({
      metadata: { annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } },
      spec: { template: { spec: { containers: [{ args: ['migrate'] }] } } },
    });
    expect(resources.find(({ kind }) => kind === 'StatefulSet')).toMatchObject({
      spec: {
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        volumeClaimTemplates: [{ metadata: { name: 'data' } }],
        template: { spec: { terminationGracePeriodSeconds: 340 } },
      },
    });
  });

  test('every container runs without a privilege, on a read-only root', () => {
    for (const example of EXAMPLES) {
      const pods = resourcesOf(example).flatMap(({ kind, spec }) =>
        kind === 'StatefulSet' || kind === 'Job' ? [(spec as { template: { spec: object } }).template.spec] : [],
      );
      expect(pods).toHaveLength(2);
      for (const pod of pods) {
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        });
      }
    }
  });

  test('the config file reaches the instances as it is written, variables included', () => {
    const { config } = parse(readFileSync(valuesOf('production.yaml'), 'utf8')) as { readonly config: object };
    const map = resourcesOf('production.yaml').find(({ kind }) => kind === 'ConfigMap') as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    expect(parse(map.data['faregate.yaml'] ?? '')).toEqual(config);
  });

  test('the grace of a pod follows from the timeouts of the config file', () => {
    const graceWith = (timeouts: string): string =>
      /terminationGracePeriodSeconds: (\d+)/.exec(template('--set', `secretName=a${timeouts}`).text)?.[1] ?? '';
    expect([
      graceWith(''),
      graceWith(',config.timeouts.drain=1h'),
      graceWith(',config.timeouts.lame_duck=1500ms'),
    ]).toEqual(['70', '3640', '67']);
  });
});
