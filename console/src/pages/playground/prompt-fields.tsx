import { type ReactNode, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MessageFields } from './message-fields.tsx';
import type { Prompt, PromptProblems } from './prompt.ts';

interface PromptFieldsProps {
  readonly prompt: Prompt;
  readonly onChange: (prompt: Prompt) => void;
  readonly problems: PromptProblems;
}

/** What is sent besides the model. */
export function PromptFields({ prompt, onChange, problems }: PromptFieldsProps): ReactNode {
  const set = (change: Partial<Prompt>): void => onChange({ ...prompt, ...change });
  const [isOpen, setIsOpen] = useState(prompt.schema !== '' || prompt.tools !== '');
  return (
    <>
      <Field label="System" help="Instructions that the model reads before the conversation." optional>
        <TextArea value={prompt.system} onChange={(system) => set({ system })} rows={2} />
      </Field>
      <MessageFields
        messages={prompt.messages}
        onChange={(messages) => set({ messages })}
        problem={problems.messages}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Temperature" error={problems.temperature} optional>
          <TextInput
            value={prompt.temperature}
            onChange={(temperature) => set({ temperature })}
            inputMode="decimal"
            placeholder="default"
            autoComplete="off"
            className="tabular"
          />
        </Field>
        <Field label="Max tokens" error={problems.maxTokens} optional>
          <TextInput
            value={prompt.maxTokens}
            onChange={(maxTokens) => set({ maxTokens })}
            inputMode="numeric"
            placeholder="default"
            autoComplete="off"
            className="tabular"
          />
        </Field>
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="target w-fit text-control font-medium">Answer schema and tools</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Field
            label="Answer schema"
            help="A JSON schema. The answer is withheld until it is known to match."
            error={problems.schema}
            optional
          >
            <TextArea mono value={prompt.schema} onChange={(schema) => set({ schema })} rows={2} spellCheck={false} />
          </Field>
          <Field
            label="Tools"
            help="A JSON list of functions that the model may ask for."
            error={problems.tools}
            optional
          >
            <TextArea mono value={prompt.tools} onChange={(tools) => set({ tools })} rows={2} spellCheck={false} />
          </Field>
        </div>
      </details>
    </>
  );
}
