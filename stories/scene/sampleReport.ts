import type { EmbedItem } from '@vitrine/react/picker';

/** The reports that stories show: one page under several names. */
export const sampleItems: readonly EmbedItem[] = [
  { itemId: 1042, name: 'Sales by region', type: 'Report' },
  { itemId: 1043, name: 'Order book', type: 'Report' },
  { itemId: 1044, name: 'Operations board', type: 'Dashboard' },
  { itemId: 1045, name: 'Stock count', type: 'App' },
];

const regions = [
  ['North', 84, 78],
  ['South', 61, 66],
  ['East', 47, 44],
  ['West', 72, 65],
] as const;

const total = regions.reduce((sum, [, value]) => sum + value, 0);
const plan = regions.reduce((sum, [, , planned]) => sum + planned, 0);
const figures = [
  ['Revenue', `${total} k`],
  ['Plan', `${plan} k`],
  ['Vs. plan', `+${(((total - plan) / plan) * 100).toFixed(1)}%`],
] as const;

const tiles = figures
  .map(([name, value]) => `<div class="tile"><span>${name}</span><strong>${value}</strong></div>`)
  .join('');

const lines = [0, 30, 60, 90]
  .map(
    (value) =>
      `<path d="M34 ${190 - value * 1.9}H760"/><text x="26" y="${194 - value * 1.9}" class="axis">${value}</text>`,
  )
  .join('');

const bars = regions
  .map(
    ([name, value, planned], index) =>
      `<g transform="translate(${70 + index * 180} 0)"><rect class="plan" x="62" y="${190 - planned * 1.9}" width="44" height="${planned * 1.9}" rx="4"/><rect x="10" y="${190 - value * 1.9}" width="44" height="${value * 1.9}" rx="4"/><text x="58" y="212">${name}</text></g>`,
  )
  .join('');

const rows = regions
  .map(
    ([name, value, planned]) =>
      `<tr><td>${name}</td><td>${value} k</td><td>${planned} k</td><td>${value >= planned ? '+' : '−'}${Math.abs(value - planned)} k</td></tr>`,
  )
  .join('');

/** A page in place of a report of the portal: a heading, three figures, a chart and a table. */
export const sampleReport = (
  itemId: number,
): string => `<!doctype html><html lang="en"><title>Report ${itemId}</title>
<style>
:root{color-scheme:light dark;--text:light-dark(#1c2430,#e9ecf1);--muted:light-dark(#566072,#a5afbf);--line:light-dark(#e3e7ed,#2d333d);--one:light-dark(#2456c7,#7aa2f7);--two:light-dark(#c7d5f5,#3a4a6e)}
*{box-sizing:border-box}body{margin:0;padding:24px;font:14px/1.5 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#191c22)}
h1{margin:0;font-size:19px;letter-spacing:-.01em}header{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:16px}header span{color:var(--muted);font-size:13px}
.tiles{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px;margin-bottom:18px}.tile{display:grid;gap:2px;padding:12px 16px;border:1px solid var(--line);border-radius:8px}.tile span{color:var(--muted);font-size:13px}.tile strong{font-size:20px;font-variant-numeric:tabular-nums;white-space:nowrap}
svg{display:block;width:100%;height:auto;max-height:300px}rect{fill:var(--one)}.plan{fill:var(--two)}path{stroke:var(--line)}text{fill:var(--muted);text-anchor:middle;font-size:13px}.axis{text-anchor:end;font-size:11px}
table{width:100%;margin-top:16px;border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:7px 0;text-align:end;border-bottom:1px solid var(--line)}td:first-child,th:first-child{text-align:start}th{color:var(--muted);font-weight:500;font-size:13px}
@media(max-width:430px){text{font-size:24px}.axis{font-size:20px}body{padding:16px}.tiles{gap:8px}.tile{padding:8px 10px}.tile strong{font-size:15px}header span{display:none}}
@media(max-width:280px){.tiles{grid-template-columns:1fr 1fr}.tile:last-child{grid-column:1/-1}td:nth-child(3),th:nth-child(3){display:none}}
</style><header><h1>${sampleItems.find((item) => item.itemId === itemId)?.name}</h1><span>Item ${itemId}, thousands</span></header><div class="tiles">${tiles}</div>
<svg viewBox="0 0 770 220" role="img" aria-label="Sales by region: revenue and plan">${lines}${bars}</svg>
<table><thead><tr><th>Region</th><th>Revenue</th><th>Plan</th><th>Difference</th></tr></thead><tbody>${rows}</tbody></table></html>`;
