import type { ReactNode } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Checklist } from '../ui/checklist.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DefinitionList } from '../ui/definition-list.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Meter } from '../ui/meter.tsx';
import { Money } from '../ui/money.tsx';
import { Section } from '../ui/section.tsx';
import { Tag } from '../ui/tag.tsx';
import { Timestamp } from '../ui/timestamp.tsx';

const CURL = `curl https://gateway.example.com/v1/chat/completions \\
  -H "authorization: Bearer fg_live_00c1f3e2a9b84d7f" -H "content-type: application/json" \\
  -d '{"model":"openai/gpt-5","messages":[{"role":"user","content":"Hello"}]}'`;

export function StateLooks(): ReactNode {
  return (
    <>
      <Section title="States">
        <Banner tone="info">Prices change on 1 December. Requests in flight keep theirs.</Banner>
        <Banner tone="warn" action={<Button>Add credit</Button>}>
          Your credit lasts for about 3 days.
        </Banner>
        <Banner tone="danger">This workspace is suspended: unpaid invoice.</Banner>
        <ErrorPanel
          message="The prices could not be loaded."
          requestId="01934d5e-7b1c-7c3a-9f1e-2b6a1c0d9e8f"
          onRetry={() => {}}
        />
        <div className="mt-6 grid gap-6 sm:grid-cols-3">
          <Meter label="Budget of web" spent="2100000000" held="400000000" limit="5000000000" />
          <Meter label="Budget of ci" spent="4300000000" held="100000000" limit="5000000000" />
          <Meter label="Budget of batch" spent="5000000000" limit="5000000000" />
        </div>
      </Section>
      <Section title="Facts">
        <DefinitionList
          items={[
            { term: 'Balance', value: <Money amount="41270000000" className="text-hero font-semibold" /> },
            { term: 'Role', value: <Tag tone="accent">Owner</Tag> },
            {
              term: 'Capabilities',
              value: (
                <span className="flex flex-wrap gap-1">
                  {['tools', 'vision', 'reasoning'].map((each) => (
                    <Tag key={each}>{each}</Tag>
                  ))}
                </span>
              ),
            },
            {
              term: 'Request',
              value: (
                <span className="inline-flex items-center gap-1">
                  <code className="font-mono text-meta">01934d5e-7b1c-7c3a-9f1e</code>
                  <CopyButton text="01934d5e" label="Copy request id" />
                </span>
              ),
            },
            { term: 'Created', value: <Timestamp at="2026-01-04T10:00:00.000Z" /> },
            { term: 'Shortcut', value: <Kbd>⌘K</Kbd> },
          ]}
        />
      </Section>
      <Section title="First request">
        <Checklist
          label="First request"
          steps={[
            { id: 'credit', title: 'Add credit', done: true },
            { id: 'key', title: 'Create a key', done: false, content: <Button kind="primary">Create key</Button> },
            { id: 'call', title: 'Send a request', done: false },
          ]}
        />
        <div className="mt-4">
          <CodeBlock label="curl command" code={CURL} />
        </div>
      </Section>
    </>
  );
}
