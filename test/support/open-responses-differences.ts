// Where an answer at /v1/responses says more than Open Responses 2.4 does: nothing else may differ. OpenAI's own wire is
// larger than the standard, and its clients go by that.

/** A schema that holds too, for a definition of the standard (`Tool`) or a member of one (`Tool.name`). */
export interface Difference {
  readonly at: string;
  readonly also: object;
  readonly because: string;
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

/** A closed object; those of its members whose names end in `?` may be absent. */
function object(members: Readonly<Record<string, object>>): object {
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema]),
  );
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  return { type: 'object', properties, required, additionalProperties: false };
}

const FUNCTION_CALLS = ['FunctionCall', 'Item3', 'Item73'];

const CUSTOM_CALL = object({
  type: { const: 'custom_tool_call' },
  id: TEXT,
  call_id: TEXT,
  name: TEXT,
  'namespace?': TEXT,
  input: TEXT,
  status: { $ref: '#/$defs/FunctionCallStatus' },
});

const counted = (at: string): Difference => ({
  at,
  also: COUNT,
  because: 'providers of chat report it, and it is passed on by their name',
});

export const DIFFERENCES: readonly Difference[] = [
  { at: 'ResponseResource.user', also: { type: 'string' }, because: "OpenAI's SDK has it in a response" },
  {
    at: 'JsonSchemaResponseFormat.schema',
    also: { type: 'object' },
    because: 'the standard has null for it, and OpenAI the schema that was requested',
  },
  {
    at: 'ReasoningEffortEnum',
    also: { enum: ['minimal', 'max'] },
    because: 'OpenAI has more efforts, and a response repeats what was requested',
  },
  {
    at: 'Tool',
    also: object({ type: { const: 'custom' }, name: TEXT, 'description?': TEXT }),
    because: 'OpenAI has tools that take a text',
  },
  {
    at: 'Tool',
    also: object({
      type: { const: 'namespace' },
      name: TEXT,
      'description?': TEXT,
      tools: { type: 'array', items: { type: 'object' } },
    }),
    because: 'OpenAI has tools in namespaces',
  },
  ...FUNCTION_CALLS.flatMap((at) => [
    { at, also: CUSTOM_CALL, because: 'OpenAI has calls of tools that take a text' },
    { at: `${at}.namespace`, also: TEXT, because: 'OpenAI has tools in namespaces' },
  ]),
  {
    at: 'ResponseFunctionCallArgumentsDoneStreamingEvent.name',
    also: TEXT,
    because: "OpenAI's SDK for Python has it",
  },
  { at: 'InputTokensDetails.cache_write_tokens', also: COUNT, because: "OpenAI's SDK has it" },
  counted('InputTokensDetails.audio_tokens'),
  counted('OutputTokensDetails.audio_tokens'),
  counted('OutputTokensDetails.accepted_prediction_tokens'),
  counted('OutputTokensDetails.rejected_prediction_tokens'),
  {
    at: 'Error1.details',
    also: object({ code: TEXT, type: TEXT }),
    because: 'a response that fails has a code of OpenAI, and the code of this gateway beside it',
  },
  { at: 'ErrorPayload.details', also: { type: 'object' }, because: 'what a program needs that acts on an error' },
];

const PLACE = { sequence_number: COUNT, item_id: TEXT, output_index: COUNT };

/** Events that the standard doesn't have, as OpenAI's SDK has them. */
export const FURTHER_EVENTS: Readonly<Record<string, object>> = {
  'response.custom_tool_call_input.delta': object({ type: TEXT, ...PLACE, delta: TEXT }),
  'response.custom_tool_call_input.done': object({ type: TEXT, ...PLACE, input: TEXT }),
};
