import { readFile } from 'node:fs/promises';

// Prints what vitest's JSON report counts, as `passed failed skipped`. A file that could not be run at all counts as
// one failure, though none of its tests is known.

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: count-tests.ts REPORT');
const report = JSON.parse(await readFile(path, 'utf8')) as Report;

let [passed, failed, skipped] = [0, 0, 0];
for (const file of report.testResults) {
  const statuses = file.assertionResults.map((test) => test.status);
  const failures = statuses.filter((status) => status === 'failed').length;
  const passes = statuses.filter((status) => status === 'passed').length;
  passed += passes;
  failed += file.status === 'failed' ? Math.max(1, failures) : failures;
  skipped += statuses.length - passes - failures;
}
console.log(passed, failed, skipped);
