const regions = [
  ['North', 84],
  ['South', 61],
  ['East', 47],
  ['West', 72],
] as const;

const bars = regions
  .map(
    ([name, value], index) =>
      `<g transform="translate(${40 + index * 130} 0)"><rect x="0" y="${200 - value * 2}" width="72" height="${value * 2}" rx="4"/><text x="36" y="222">${name}</text><text class="v" x="36" y="${190 - value * 2}">${value}</text></g>`,
  )
  .join('');

const rows = regions
  .map(
    ([name, value]) => `<tr><td>${name}</td><td>${value} k</td><td>${Math.round(value * 1.08)} k</td></tr>`,
  )
  .join('');

/** A page that stands for a report of the portal: a heading, a chart and a table. */
export const sampleReport = (
  itemId: number,
): string => `<!doctype html><html lang="en"><title>Report ${itemId}</title>
<style>
:root{color-scheme:light dark}
body{margin:0;padding:24px;font:14px/1.5 system-ui,sans-serif;color:light-dark(#1c2430,#e9ecf1);background:light-dark(#fff,#191c22)}
h1{margin:0 0 4px;font-size:20px}p{margin:0 0 20px;color:light-dark(#566072,#a5afbf)}
svg{width:100%;max-width:620px;height:auto}rect{fill:light-dark(#2456c7,#7aa2f7)}
text{fill:light-dark(#566072,#a5afbf);text-anchor:middle;font-size:13px}.v{fill:light-dark(#1c2430,#e9ecf1);font-weight:600}
table{width:100%;max-width:620px;margin-top:16px;border-collapse:collapse}td,th{padding:6px 0;text-align:start;border-bottom:1px solid light-dark(#dfe3ea,#323843)}
</style><h1>Sales by region</h1><p>Item ${itemId}, thousands</p>
<svg viewBox="0 0 560 236" role="img" aria-label="Sales by region">${bars}</svg>
<table><thead><tr><th>Region</th><th>This year</th><th>Plan</th></tr></thead><tbody>${rows}</tbody></table></html>`;
