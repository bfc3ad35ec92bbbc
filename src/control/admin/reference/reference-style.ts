/** The style of the reference page. Three radio buttons choose the theme, so that the page needs no script. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8d8d4, #3a3a38); --raised: light-dark(#f4f4f1, #222220);
  --quiet: light-dark(#5c5c57, #a6a69f); --link: light-dark(#0f5d3a, #7fd0a6); }
:root:has(#theme-light:checked) { color-scheme: light; }
:root:has(#theme-dark:checked) { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: light-dark(#fff, #141413); color: light-dark(#1b1b19, #e8e8e3); }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--raised); padding: .75rem; overflow-x: auto; margin: .5rem 0; border-radius: 6px; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: .95rem; margin: 0; font-weight: 600; }
h4 { font-size: .85rem; margin: 1.25rem 0 .25rem; }
p { margin: .25rem 0; max-width: 70ch; }
.page { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; }
.outline ul { list-style: none; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
.theme { border: 0; padding: 0; margin: .75rem 0; display: flex; gap: .75rem; color: var(--quiet); }
.operation { border-top: 1px solid var(--line); }
.operation > summary { padding: .6rem 0; cursor: pointer; display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.operation > summary::-webkit-details-marker { display: none; }
.operation > div { padding: 0 0 1.25rem; }
.method { display: inline-block; min-width: 4rem; font-weight: 600; }
.about { color: var(--quiet); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
@media (min-width: 64rem) {
  .page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 2.5rem; }
  .outline { position: sticky; top: 1.5rem; align-self: start; }
  .outline ul { display: block; }
}
`;
