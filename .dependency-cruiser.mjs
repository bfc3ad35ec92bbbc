// Which room may import which. src/ has a ground (lib, domain, config) and three wings, each a folder of rooms: the gate, which
// requests pass; the control plane, where people decide; the program, which runs both. The gate knows nothing of the control
// plane. A room knows the rooms named here and no others; rooms that aren't named for each other are blind to each other.

const ground = ['lib', 'domain'];
const wire = [...ground, 'gate/turns', 'gate/openai'];
const trades = ['gate/principals', 'gate/purses', 'gate/upstreams', 'gate/structured'];
const kept = [...ground, 'control/resources', 'control/audit', 'control/encryption'];
const records = [
  'catalogue',
  'ledger',
  'accounts',
  'identity',
  'usage',
  'payments',
  'alerts',
  'refusals',
  'routes',
  'schedules',
  'sinks',
  'cells',
  'moves',
].map((room) => `control/${room}`);
const gate = ['gate/dialects', 'gate/gateway', ...wire, ...trades];
const control = ['control/admin', 'control/doctor', 'control/offer', 'control/operations', ...kept, ...records];
const services = ['program/database', 'program/telemetry', 'program/process'];

const mayImport = {
  lib: [],
  domain: ['lib'],
  config: ground,
  'gate/turns': ['lib'],
  'gate/openai': ['lib'],
  'gate/dialects': wire,
  ...Object.fromEntries(trades.map((room) => [room, wire])),
  'gate/upstreams': ['gate/dialects', ...wire],
  'gate/gateway': ['gate/dialects', ...wire, ...trades],
  'control/resources': ground,
  'control/audit': ground,
  'control/encryption': ['lib'],
  'control/operations': [...ground, 'control/resources'],
  'control/doctor': ['lib'],
  ...Object.fromEntries(records.map((room) => [room, kept])),
  'control/accounts': ['gate/principals', ...kept],
  // Declarations in the database are read by the schema of the config file.
  'control/offer': ['config', ...kept],
  // What other cells are asked is an operation of theirs.
  'control/cells': ['control/operations', ...kept],
  'control/moves': ['control/catalogue', 'control/cells', 'control/operations', 'control/usage', ...kept],
  'control/sinks': ['control/ledger', 'control/usage', ...kept],
  'control/admin': ['gate/upstreams', 'control/doctor', 'control/operations', 'control/offer', ...kept, ...records],
  ...Object.fromEntries(services.map((room) => [room, [...gate, 'control/encryption', ...records]])),
  'program/backup-files': [],
  'program/sinks': [...gate, 'control/refusals', 'control/sinks', 'program/telemetry/otlp'],
  'program/database': [...gate, 'control/encryption', 'control/doctor', ...records],
  'program/jobs': [...kept, ...records],
  'program/http': [...gate, 'control/admin', ...ground],
  'program/cli': [
    ...ground,
    'control/resources',
    'control/operations',
    'config',
    'control/admin/client',
    'control/doctor',
    'program/backup-files',
  ],
  'program/app': [
    ...gate,
    ...control,
    ...services,
    'config',
    'program/jobs',
    'program/backup-files',
    'program/sinks',
    'program/http',
  ],
  main: [...ground, ...services, 'config', 'program/app', 'program/cli'],
};

// The wings of the spending engine, by what each knows of the others. What stands beside them in purses/ knows all.
const mayEnter = {
  ports: [],
  leases: ['ports', 'settlement'],
  permits: ['ports'],
  settlement: ['ports'],
};

// A Config is a plain record: whoever is handed a part of it may name its type, but only these may read it.
const readConfig = ['config', 'control/offer', 'program/cli', 'program/app', 'main'];
const nameConfig = new Set(['gate/upstreams', 'control/admin', ...services, 'program/sinks', 'program/http']);

const inRoom = (room) => `^src/${room}(/|\\.ts$)`;
const inRooms = (rooms) => rooms.map(inRoom).join('|') || '^$';
const TESTS = '\\.test\\.tsx?$';

const directions = Object.entries(mayImport).map(([room, others]) => ({
  name: `${room}-imports`,
  comment: `${room} may import ${[...others].join(', ') || 'no other room'}.`,
  severity: 'error',
  from: { path: inRoom(room), pathNot: TESTS },
  to: {
    path: '^src/',
    pathNot: [inRooms([room, ...others]), ...(nameConfig.has(room) ? [inRoom('config')] : [])].join('|'),
  },
}));

const wings = Object.entries(mayEnter).map(([wing, others]) => ({
  name: `purses-${wing}-imports`,
  comment: `purses/${wing} may import ${others.join(', ') || 'nothing else'} of the spending engine.`,
  severity: 'error',
  from: { path: inRoom(`gate/purses/${wing}`), pathNot: TESTS },
  to: { path: inRoom('gate/purses'), pathNot: inRooms([wing, ...others].map((each) => `gate/purses/${each}`)) },
}));

// The rooms of the console. The kit (ui, charts, format) knows neither the product nor the server.
const consoleMayImport = {
  format: [],
  styles: [],
  ui: ['format'],
  charts: ['format', 'ui'],
  api: ['format', 'paths'],
  components: ['ui', 'charts', 'format', 'api', 'paths', 'session'],
  forms: ['ui', 'format', 'api', 'components', 'paths', 'session'],
  pages: ['ui', 'charts', 'format', 'api', 'components', 'forms', 'paths', 'session'],
  frame: ['ui', 'format', 'api', 'components', 'forms', 'paths', 'session', 'styles'],
  session: ['api', 'paths'],
  paths: [],
  'search-params': ['paths'],
  'root-routes': ['frame', 'paths', 'api'],
  'account-routes': ['root-routes', 'pages', 'search-params'],
  'operator-routes': ['root-routes', 'pages', 'frame', 'search-params', 'api'],
  'read-ahead': ['api', 'pages', 'session'],
  routes: [
    'root-routes',
    'operator-routes',
    'account-routes',
    'read-ahead',
    'pages',
    'frame',
    'paths',
    'search-params',
    'api',
    'session',
  ],
  router: ['routes', 'frame', 'search-params'],
  main: ['router', 'frame', 'paths', 'api', 'styles'],
  looks: ['ui', 'charts', 'format', 'styles'],
};

const inConsoleRoom = (room) => `^console/src/${room}(/|(\\.test)?\\.tsx?$)`;
const inConsoleRooms = (rooms) => rooms.map(inConsoleRoom).join('|') || '^$';

const consoleDirections = Object.entries(consoleMayImport).map(([room, others]) => ({
  name: `console-${room}-imports`,
  comment: `console/src/${room} may import ${others.join(', ') || 'no other room of the console'}.`,
  severity: 'error',
  from: { path: inConsoleRoom(room), pathNot: TESTS },
  to: { path: '^console/src/', pathNot: inConsoleRooms([room, ...others]) },
}));

const onlyIn = (packageName, rooms, comment) => ({
  name: `${packageName}-only-in-its-place`,
  comment,
  severity: 'error',
  from: { path: '^src/', pathNot: `${inRooms(rooms)}|${TESTS}` },
  to: { path: `^node_modules/${packageName}/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...directions,
    ...wings,
    ...consoleDirections,
    {
      name: 'console-rooms-are-listed',
      comment: 'A new folder or file of console/src gets its place in the table of this file first.',
      severity: 'error',
      from: {
        path: '^console/src/',
        pathNot: inConsoleRooms(Object.keys(consoleMayImport)),
      },
      to: {},
    },
    {
      name: 'console-kit-knows-no-product',
      comment: 'ui, charts and format know no router, no queries and nothing of the server but how money is read.',
      severity: 'error',
      from: { path: inConsoleRooms(['ui', 'charts', 'format']), pathNot: TESTS },
      to: { path: '^src/|^node_modules/@tanstack/', pathNot: '^src/domain/money\\.ts$' },
    },
    {
      name: 'rooms-are-listed',
      comment: 'A new folder or file of src/ gets its place in the table of this file first.',
      severity: 'error',
      from: { path: '^src/', pathNot: inRooms(Object.keys(mayImport)) },
      to: {},
    },
    {
      name: 'config-is-handed-over',
      comment: 'Only the entry reads the configuration; everything else is handed its part and may name the type.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${inRooms(readConfig)}|${TESTS}` },
      to: { path: inRoom('config'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain/ has no I/O, clock or randomness, so it imports neither Node nor a package.',
      severity: 'error',
      from: { path: inRoom('domain'), pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] },
    },
    {
      name: 'money-path-has-no-packages',
      comment:
        'What every request passes is written here, not borrowed: lib, openai, dialects, purses and gateway use Node alone.',
      severity: 'error',
      from: {
        path: inRooms(['lib', ...gate.filter((room) => room !== 'gate/upstreams' && room !== 'gate/structured')]),
        pathNot: TESTS,
      },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional'] },
    },
    onlyIn(
      'pg',
      ['program/database', 'program/process'],
      'SQL goes through lib/sql.ts, so that a test can count and fail statements.',
    ),
    onlyIn('age-encryption', ['program/backup-files'], 'Backups are encrypted and opened in one place.'),
    onlyIn('commander', ['program/cli'], 'The command line is read in one place.'),
    onlyIn('aws4fetch', ['program/sinks'], 'Requests to object stores are signed in one place.'),
    onlyIn('nodemailer', ['control/alerts'], 'Mails go through the outbox, so that they are tried again.'),
    onlyIn('pino', ['program/telemetry'], 'Log lines go through telemetry, which redacts.'),
    onlyIn(
      '@opentelemetry',
      ['program/telemetry/otlp'],
      'What exports to a collector is loaded for those who have one.',
    ),
    {
      name: 'otlp-is-loaded-when-configured',
      comment: 'OpenTelemetry takes 20 ms and 9 MB to load, so only import() reaches what needs it.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${inRoom('program/telemetry/otlp')}|${TESTS}` },
      to: { path: inRoom('program/telemetry/otlp'), dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or want a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'Only tests use what is made for tests.',
      severity: 'error',
      from: { path: '^(src|bench|console)/', pathNot: TESTS },
      to: { path: `^test/|${TESTS}`, pathNot: '^test/support/' },
    },
    {
      name: 'only-bench-shares-test-support',
      comment: 'bench/ starts the program and its surroundings as the tests do; nothing else may.',
      severity: 'error',
      from: { path: '^(src|console)/', pathNot: TESTS },
      to: { path: '^test/support/' },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'What two tests share has a file of its own under test/.',
      severity: 'error',
      from: {},
      to: { path: TESTS },
    },
    {
      name: 'console-knows-no-server',
      comment: 'The console speaks to the server over HTTP: it takes types of its contract, and pure rules.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(src|bench|test)/',
        pathNot: [
          '^src/domain/',
          '^src/control/(operations|resources)/',
          '^src/control/admin/[a-z-]*contract\\.ts$',
          '^src/control/admin/[a-z]+/[a-z-]*contract\\.ts$',
        ],
      },
    },
    {
      name: 'console-runs-in-browsers',
      comment: 'Types of Node come along with those of the contract; its modules do not.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'console-takes-contract-types-only',
      comment: 'What a contract checks at run time is for the server, and weighs 60 kB.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^src/control/admin/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-knows-no-console',
      comment: 'The server serves the files in console/dist and knows nothing of how they are made.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(console|bench|tools)/' },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      comment: 'npm ci --omit=dev must leave a program that runs. (tools/prepare.ts does without Vite.)',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API yet; swc reads the same imports, types included.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^console/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
