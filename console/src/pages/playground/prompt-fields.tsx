import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { newMessage, type Prompt, type PromptMessage, type PromptProblems, type Speaker, SPEAKERS } from './prompt.ts';

interface PromptFieldsProps {
  readonly prompt: Prompt;
  readonly onChange: (prompt: Prompt) => void;
  readonly problems: PromptProblems;
}

const NUMBERS = [
  { field: 'temperature', label: 'Temperature', inputMode: 'decimal' },
  { field: 'maxTokens', label: 'Max tokens', inputMode: 'numeric' },
] as const;

const JSONS = [
  {
    field: 'schema',
    label: 'Answer schema',
    help: 'A JSON schema. The answer is withheld until it is known to match.',
  },
  { field: 'tools', label: 'Tools', help: 'A JSON list of functions that the model may ask for.' },
] as const;

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
        {NUMBERS.map(({ field, label, inputMode }) => (
          <Field key={field} label={label} error={problems[field]} optional>
            <TextInput
              value={prompt[field]}
              onChange={(typed) => set({ [field]: typed })}
              inputMode={inputMode}
              placeholder="default"
              autoComplete="off"
              className="tabular"
            />
          </Field>
        ))}
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="target w-fit text-control font-medium">Answer schema and tools</summary>
        <div className="mt-3 flex flex-col gap-4">
          {JSONS.map(({ field, label, help }) => (
            <Field key={field} label={label} help={help} error={problems[field]} optional>
              <TextArea
                mono
                value={prompt[field]}
                onChange={(typed) => set({ [field]: typed })}
                rows={2}
                spellCheck={false}
              />
            </Field>
          ))}
        </div>
      </details>
    </>
  );
}

const SPEAKER_WORDS: Readonly<Record<Speaker, string>> = { user: 'User', assistant: 'Assistant' };

interface MessageFieldsProps {
  readonly messages: readonly PromptMessage[];
  readonly onChange: (messages: readonly PromptMessage[]) => void;
  readonly problem: string | undefined;
}

/** The messages of a conversation, in their order. */
function MessageFields({ messages, onChange, problem }: MessageFieldsProps): ReactNode {
  const write = (id: string, content: string): void =>
    onChange(messages.map((message) => (message.id === id ? { ...message, content } : message)));
  return (
    <div className="flex flex-col gap-3">
      {messages.map(({ id, role, content }, at) => (
        <div key={id} className="flex items-start gap-1">
          <Field
            label={`${SPEAKER_WORDS[role]} message${messages.length === 1 ? '' : ` ${at + 1}`}`}
            error={at === messages.length - 1 ? problem : undefined}
            className="flex-1"
          >
            <TextArea value={content} onChange={(text) => write(id, text)} rows={at === 0 ? 4 : 2} />
          </Field>
          {messages.length > 1 && (
            <IconButton
              label={`Remove message ${at + 1}`}
              icon={<Trash2 size={16} strokeWidth={1.5} />}
              onClick={() => onChange(messages.filter((message) => message.id !== id))}
              className="mt-6"
            />
          )}
        </div>
      ))}
      <div className="-ml-3 flex flex-wrap">
        {SPEAKERS.map((role) => (
          <Button
            key={role}
            kind="quiet"
            icon={<Plus size={16} strokeWidth={1.5} />}
            onClick={() => onChange([...messages, newMessage(role, messages)])}
          >
            {SPEAKER_WORDS[role]} message
          </Button>
        ))}
      </div>
    </div>
  );
}
