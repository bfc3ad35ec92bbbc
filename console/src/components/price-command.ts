/** The command that changes what a workspace pays, by percent; null ends the adjustment. */
export function priceCommand(workspace: string, model: string | null, percent: string | null): readonly string[] {
  return ['workspace', 'price', workspace, ...(model === null ? [] : ['--model', model]), ...priceOptions(percent)];
}

function priceOptions(percent: string | null): readonly string[] {
  if (percent === null) return ['--clear'];
  return percent.startsWith('-') ? ['--discount', `${percent.slice(1)}%`] : ['--markup', `${percent}%`];
}
