/** How the reference looks: light and dark, from a phone to a wide screen. */
export const STYLE = `
:root {
  --ground: #ffffff;
  --raised: #f6f7f9;
  --line: #e1e5ea;
  --ink: #1c2530;
  --quiet: #566270;
  --accent: #1f56b8;
  --get: #0f6b43;
  --get-ground: #e5f3eb;
  --post: #1f56b8;
  --post-ground: #e7eefb;
  --need: #9a4a00;
  --key: #7a3e9d;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c;
    --raised: #1a2029;
    --line: #2c3541;
    --ink: #e3e8ee;
    --quiet: #9ca9b8;
    --accent: #8db5ff;
    --get: #7fd6a8;
    --get-ground: #16322a;
    --post: #9dc0ff;
    --post-ground: #1b2d4d;
    --need: #f0b071;
    --key: #cfa6ea;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
p { margin: 0 0 0.75rem; }
.skip { position: absolute; left: -100vw; top: 0; z-index: 1; padding: 0.75rem 1rem; background: var(--ground); }
.skip:focus { left: 0.5rem; top: 0.5rem; }

.page { max-width: 88rem; margin: 0 auto; }
nav { padding: 1.25rem 1rem; border-bottom: 1px solid var(--line); font-size: 0.9375rem; }
nav p { margin: 0; }
nav .brand { font-size: 1.125rem; font-weight: 650; letter-spacing: -0.01em; }
nav .group { margin-top: 1rem; font-size: 0.8125rem; font-weight: 600; }
nav .group a { color: var(--quiet); }
nav ul { list-style: none; margin: 0.25rem 0 0; padding: 0; }
nav a { color: var(--ink); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav li a { display: flex; gap: 0.625rem; align-items: baseline; padding: 0.25rem 0; }
nav .method { min-width: 2.75rem; text-align: center; }

main { padding: 2rem 1rem 6rem; min-width: 0; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.012em; text-wrap: balance; }
h1 { margin: 0 0 1rem; font-size: 2rem; font-weight: 680; }
h2 { margin: 0 0 0.25rem; font-size: 1.5rem; font-weight: 660; }
h3 { margin: 0 0 0.5rem; font-size: 1.1875rem; font-weight: 640; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1.75rem 0 0.5rem; font-size: 0.9375rem; font-weight: 640; letter-spacing: 0; }
h2, article { scroll-margin-top: 1.5rem; }
.prose { max-width: 44rem; }
.prose code, td code, .limits code {
  padding: 0.1em 0.35em;
  background: var(--raised);
  border-radius: 4px;
  overflow-wrap: anywhere;
}
.lead { color: var(--quiet); }
section.group { margin-top: 4rem; padding-top: 2rem; border-top: 1px solid var(--line); }
article { margin-top: 3rem; }
.addresses { margin: 1.5rem 0 0; }
.addresses div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.addresses dt { min-width: 8rem; color: var(--quiet); }
.addresses dd { margin: 0; overflow-wrap: anywhere; }

.method {
  display: inline-block;
  padding: 0.0625rem 0.4375rem;
  border-radius: 4px;
  font: 600 0.6875rem/1.5 var(--mono);
  letter-spacing: 0.03em;
  text-transform: uppercase;
  color: var(--post);
  background: var(--post-ground);
}
.method.get { color: var(--get); background: var(--get-ground); }
.address { margin: 0 0 1rem; overflow-wrap: anywhere; }
.address var { font-style: normal; color: var(--accent); }
.status { font-family: var(--mono); font-size: 0.875em; font-weight: 600; }

table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.9375rem; }
table + table { margin-top: 1.25rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
thead th { padding: 0.375rem 0.75rem 0.375rem 0; color: var(--quiet); font-size: 0.8125rem; font-weight: 500; }
th { width: 42%; text-align: left; vertical-align: top; font-weight: 400; }
th + th { width: auto; }
.errors th { width: 4rem; }
.errors th + th { width: auto; }
tbody th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td { padding-right: 0; }
td p { margin: 0; }
tbody th code { margin-right: 0.5rem; font-size: 0.8125rem; font-weight: 600; overflow-wrap: anywhere; }
.own { display: inline-block; max-width: 100%; }
.above { font-weight: 400; color: var(--quiet); }
.type, .mark { display: inline-block; margin-right: 0.5rem; font-size: 0.8125rem; color: var(--quiet); }
.mark.required { color: var(--need); }
.limits { font-size: 0.875rem; color: var(--quiet); }
.sentences { margin: 0.25rem 0 0; padding: 0; list-style: none; font-size: 0.875rem; color: var(--quiet); }
.sentences li { padding: 0.125rem 0 0.125rem 0.75rem; border-left: 2px solid var(--line); }

.samples { min-width: 0; margin-top: 1.25rem; }
figure { margin: 0 0 1rem; }
figcaption { margin-bottom: 0.375rem; font-size: 0.8125rem; color: var(--quiet); }
pre {
  margin: 0;
  padding: 0.875rem 1rem;
  max-height: 30rem;
  overflow: auto;
  scrollbar-width: thin;
  scrollbar-color: var(--quiet) transparent;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 8px;
  font-size: 0.8125rem;
  line-height: 1.55;
}
pre code { font-size: inherit; }
.request pre { white-space: pre-wrap; word-break: break-all; }
.key { color: var(--key); }

@media (min-width: 40rem) {
  nav, main { padding-left: 2rem; padding-right: 2rem; }
  th { width: 36%; }
  .errors th { width: 5rem; }
}
@media (min-width: 60rem) {
  .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow: auto; border: 0; border-right: 1px solid var(--line); padding-top: 2.25rem; }
  main { padding: 2.25rem 2.5rem 8rem; }
}
@media (min-width: 76rem) {
  .columns {
    display: grid;
    grid: "prose samples" auto "facts samples" 1fr / minmax(0, 1fr) minmax(0, 30rem);
    column-gap: 2.5rem;
  }
  .columns > .prose { grid-area: prose; }
  .facts { grid-area: facts; }
  .samples { grid-area: samples; position: sticky; top: 1.5rem; align-self: start; margin-top: 0; }
}
@media print {
  nav, .skip { display: none; }
  pre { max-height: none; white-space: pre-wrap; }
}
`
