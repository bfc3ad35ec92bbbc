import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { newMessage, type PromptMessage, type Speaker, SPEAKERS } from './prompt.ts';

const SPEAKER_WORDS: Readonly<Record<Speaker, string>> = { user: 'User', assistant: 'Assistant' };

interface MessageFieldsProps {
  readonly messages: readonly PromptMessage[];
  readonly onChange: (messages: readonly PromptMessage[]) => void;
  readonly problem: string | undefined;
}

/** The messages of a conversation, in their order. */
export function MessageFields({ messages, onChange, problem }: MessageFieldsProps): ReactNode {
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
