/** How far a price is from the list price, in words: "10% below list"; null if it is the list price. */
export function changeWords(percent: string): string | null {
  if (percent === '0') return null;
  return percent.startsWith('-') ? `${percent.slice(1)}% below list` : `${percent}% above list`;
}
