import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AGENTS, agentSettings, type CodingAgent } from './agent-settings.ts';
import { type CallableModel, firstRequest } from './first-request.ts';
import { type CodeRequest, KEY_VARIABLE, type Language, LANGUAGES, requestCode } from './request-code.ts';

interface SnippetsProps {
  /** The model that the request asks; null: none can be called. */
  readonly model: CallableModel | null;
  /** The secret, while it is on screen anyway; null: the code reads it from the environment. */
  readonly apiKey: string | null;
}

/** How to call a model with a key: a request in three languages, and the settings of coding agents. */
export function Snippets({ model, apiKey }: SnippetsProps): ReactNode {
  if (model === null) {
    return <p className="text-control text-text-2">No model is on sale that this request could ask.</p>;
  }
  const request = firstRequest(model, apiKey);
  if (model.kind !== 'chat') return <RequestCode request={request} />;
  const access = { origin: request.origin, model: model.id, apiKey };
  const settings = AGENTS.map(({ id, label }) => ({
    id,
    label,
    name: `${label} settings`,
    code: agentSettings(id, access),
  }));
  return (
    <>
      <CodeTabs label="Client" codes={[...codesOf(request), ...settings]} apiKey={apiKey} />
      <p className="mt-2 text-meta wrap-anywhere text-text-2">
        Other clients of OpenAI’s APIs take the base URL <code>{request.origin}/v1</code>, clients of Anthropic’s{' '}
        <code>{request.origin}</code>.
      </p>
    </>
  );
}

/** The code of a request, in three languages. */
export function RequestCode({ request }: { readonly request: CodeRequest }): ReactNode {
  return <CodeTabs label="Language" codes={codesOf(request)} apiKey={request.apiKey} />;
}

/** What a tab shows. */
interface TabCode {
  readonly id: Language | CodingAgent;
  readonly label: string;
  /** What the code is, for screen readers. */
  readonly name: string;
  readonly code: string;
}

function codesOf(request: CodeRequest): readonly TabCode[] {
  return LANGUAGES.map(({ id, label }) => ({ id, label, name: `${label} code`, code: requestCode(id, request) }));
}

interface CodeTabsProps {
  /** What the tabs choose between. */
  readonly label: string;
  readonly codes: readonly TabCode[];
  readonly apiKey: string | null;
}

function CodeTabs({ label, codes, apiKey }: CodeTabsProps): ReactNode {
  const [chosen, setChosen] = useState<TabCode['id']>('curl');
  const shown = codes.find(({ id }) => id === chosen) ?? codes[0];
  if (shown === undefined) return null;
  return (
    <div className="min-w-0">
      <Tabs label={label} tabs={codes} selected={shown.id} onSelect={setChosen}>
        <CodeBlock code={shown.code} label={shown.name} />
        {shown.code.includes(KEY_VARIABLE) && (
          <p className="mt-2 text-meta wrap-anywhere text-text-2">
            The key comes from the environment:{' '}
            <code>
              export {KEY_VARIABLE}={apiKey ?? 'fg_live_…'}
            </code>
          </p>
        )}
      </Tabs>
    </div>
  );
}
