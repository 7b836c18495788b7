import type { Demo } from './createDemo.ts';

interface WantedPorts {
  readonly demoPort: number;
  readonly portalPort: number;
}

const movedLine = (what: string, wanted: number, url: string): string[] =>
  Number(new URL(url).port) === wanted
    ? []
    : [`  Port ${wanted} is in use, so ${what} listens on another port.`];

/** The text that is printed when everything is running. */
export const instructions = (demo: Demo, wanted: WantedPorts, startedInMs: number): string => {
  const { demoUrl, portal, tenant } = demo;
  return [
    ...movedLine('the demo', wanted.demoPort, demoUrl),
    ...movedLine('the portal', wanted.portalPort, portal.url),
    `  Ready in ${(startedInMs / 1000).toFixed(1)} s.`,
    '',
    `  Demo     ${demoUrl}`,
    `  Portal   ${tenant.baseUrl}   (console; API documentation at /docs)`,
    `  Reports  ${tenant.tenantUrl}   (tenant "${tenant.tenancyName}", ID ${tenant.tenantId}; a report needs a key)`,
    '',
    '  Try',
    '   1. Open the demo, sign in as "Head of sales", and compare with "Regional',
    '      manager, North": the same report with other rows, side by side.',
    '   2. Sign in as "External auditor" and open "Sales by region": a report that',
    '      this person may not open.',
    '   3. Click a bar in "Sales by region": the page next to it shows what you',
    '      selected, and only to you. Every click is stored:',
    `      npm run vitrine -- actions list --inbox ${demo.inboxFile}`,
    '   4. Below each report: take the portal down for a while, or show what a key',
    '      does that has expired, was tampered with, or is another tenant’s.',
    '   5. Above it: "How is this made?" shows the code and the developer tools.',
    '   6. In a second terminal, the manual: npm run storybook',
    '',
    '  Press Ctrl-C to stop everything.',
    '',
    '',
  ].join('\n');
};
