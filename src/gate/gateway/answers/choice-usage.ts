import type { EventFacts } from '../../dialects/dialect.ts';
import { preferUsage, type ReportedUsage } from '../../openai/usage.ts';

/**
 * Usage of several choices, reported in chunks that each belong to one choice. Some servers report the usage of the
 * whole answer so far, others (vLLM, Moonshot) that of the chunk's choice. The latter is detected when a choice
 * continues and its report is no larger than an earlier one of another choice.
 */
export class ChoiceUsage {
  readonly #reports = new Map<number, ReportedUsage>();
  #latest: { readonly choice: number; readonly output: number } | null = null;
  #isOfEachChoice = false;

  add(usage: ReportedUsage, choice: number, { isUsageInChoice, hasContent }: EventFacts): void {
    const output = usage.output + usage.audio_output;
    const latest = this.#latest;
    if (isUsageInChoice) this.#isOfEachChoice = true;
    if (hasContent && latest !== null && latest.choice !== choice && output <= latest.output)
      this.#isOfEachChoice = true;
    this.#latest = { choice, output };
    const before = this.#reports.get(choice);
    this.#reports.set(choice, before === undefined ? usage : preferUsage(before, usage, false));
  }

  /** Usage of all choices together: one prompt, and each one's output; null if a report covers all of them. */
  total(): ReportedUsage | null {
    const reports = [...this.#reports.values()];
    const [first] = reports;
    if (!this.#isOfEachChoice || first === undefined) return null;
    const sum = (tokenClass: 'output' | 'audio_output'): number =>
      reports.reduce((total, report) => total + report[tokenClass], 0);
    return { ...first, output: sum('output'), audio_output: sum('audio_output') };
  }
}
