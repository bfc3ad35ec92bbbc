// What the scenarios ask about, which each vendor's own SDK is asked about as well.

export const QUESTION = 'What does the gate cost? Éva asks. 👋';
/** What every scenario's cap is, where it has one. */
export const CAP = 64;

export const WEATHER = {
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
};
export const TIME = {
  name: 'time',
  description: 'Tells the time of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
export const SCHEMA = {
  type: 'object',
  properties: { price: { type: 'number' }, currency: { type: 'string', enum: ['USD', 'EUR'] } },
  required: ['price', 'currency'],
  additionalProperties: false,
};

/** A red pixel. */
export const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
