import { RecentMap } from '../../lib/recent-map.ts';
import { judge } from './conformance.ts';
import { DIALECTS } from './dialects.ts';
import { type CheckedSchema, checkSchema } from './schema-check.ts';
import { formsOf } from './schema-forms.ts';
import { compileSchema, type Validate } from './schema-validator.ts';
import type { SchemaVerdict, ValidationResult, ValidationTask } from './validation-messages.ts';

/** A thread's cache of compiled schemas, and the fixed size of each in addition to its text; characters. */
const KEPT_CHARACTERS_MAX = 4 * 1_024 * 1_024;
const SCHEMA_CHARACTERS = 4_096;

interface CompiledSchema {
  readonly checked: CheckedSchema;
  readonly validate: Validate;
  readonly characters: number;
}

const EXAMPLE = { type: 'object', properties: { a: { type: 'array', items: { type: 'string', format: 'date' } } } };

/** A thread's compiled schemas; the least recently used are dropped first. */
export class CompiledSchemas {
  readonly #kept = new RecentMap<number, CompiledSchema>(KEPT_CHARACTERS_MAX, ({ characters }) => characters);

  /** Warms up the validator before there is a deadline. */
  async warmUp(): Promise<void> {
    for (const [at, uri] of Object.values(DIALECTS).entries()) {
      await this.run({
        kind: 'judge',
        id: -1 - at,
        schema: JSON.stringify({ ...EXAMPLE, $schema: uri }),
        text: '{"a":[]}',
      });
    }
  }

  /** Runs a task; synchronous if it validates by a compiled schema. */
  run(task: ValidationTask): ValidationResult | Promise<ValidationResult> {
    const { id, schema } = task;
    if (task.kind === 'check') {
      return this.#check(id, task.schema).then((verdict) => ({ kind: 'checked', verdict }));
    }
    const compiled = this.#kept.get(id);
    if (compiled === undefined && schema !== null)
      return this.#check(id, schema).then(() => this.#judge(id, task.text));
    return this.#judge(id, task.text);
  }

  #judge(id: number, text: string): ValidationResult {
    const compiled = this.#kept.get(id);
    if (compiled === undefined) return { kind: 'unknown_schema' };
    return { kind: 'judged', judgement: judge(text, compiled.checked, compiled.validate) };
  }

  async #check(id: number, text: string): Promise<SchemaVerdict> {
    const checked = checkSchema(text);
    if ('message' in checked) return { ok: false, fault: checked };
    const validate = await compileSchema(checked);
    if (typeof validate !== 'function') return { ok: false, fault: validate };
    this.#kept.set(id, { checked, validate, characters: text.length + SCHEMA_CHARACTERS });
    return { ok: true, forms: formsOf(checked) };
  }
}
