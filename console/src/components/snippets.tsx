import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { type CallableModel, firstRequest } from './first-request.ts';
import { type CodeRequest, KEY_VARIABLE, type Language, LANGUAGES, requestCode } from './request-code.ts';

interface SnippetsProps {
  /** The model that the request asks; null: none can be called. */
  readonly model: CallableModel | null;
  /** The secret, while it is on screen anyway; null: the code reads it from the environment. */
  readonly apiKey: string | null;
}

/** A request with a key, in three languages. */
export function Snippets({ model, apiKey }: SnippetsProps): ReactNode {
  if (model === null) {
    return <p className="text-control text-text-2">No model is on sale that this request could ask.</p>;
  }
  return <RequestCode request={firstRequest(model, apiKey)} />;
}

/** The code of a request, in three languages. */
export function RequestCode({ request }: { readonly request: CodeRequest }): ReactNode {
  const [language, setLanguage] = useState<Language>('curl');
  const label = LANGUAGES.find(({ id }) => id === language)?.label ?? language;
  return (
    <div className="min-w-0">
      <Tabs label="Language" tabs={LANGUAGES} selected={language} onSelect={setLanguage}>
        <CodeBlock code={requestCode(language, request)} label={`${label} code`} />
        {request.apiKey === null && (
          <p className="mt-2 text-meta text-text-2">
            The key comes from the environment: <code>export {KEY_VARIABLE}=fg_live_…</code>
          </p>
        )}
      </Tabs>
    </div>
  );
}
