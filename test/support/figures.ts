/** Prints a figure that a test has measured, for whoever reads the run. */
export function printFigure(name: string, value: number, unit: string): void {
  process.stdout.write(`  measured: ${name}: ${value.toFixed(2)} ${unit}\n`);
}
