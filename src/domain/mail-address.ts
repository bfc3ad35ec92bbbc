const LENGTH_MAX = 254;
const FORM = /^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cs}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cs}]+$/u;

/** Whether the text is exactly one mail address: no name, no second address, no start of another header. */
export function isMailAddress(text: string): boolean {
  return text.length <= LENGTH_MAX && FORM.test(text);
}
