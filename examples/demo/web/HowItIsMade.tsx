import { VitrineDevtools } from '@vitrine/react/devtools';
import server from '../backend/createHost.ts?raw';
import page from './Desk.tsx?raw';

interface Excerpt {
  readonly from: string;
  readonly to: string;
  /** Lines that a first look does not need. */
  readonly without: RegExp;
}

/** From the first line that contains one text to the next that contains another, without their indentation. */
const excerpt = (code: string, { from, to, without }: Excerpt): string => {
  const lines = code.split('\n');
  const start = lines.findIndex((line) => line.includes(from));
  const end = lines.findIndex((line, index) => index > start && line.includes(to));
  const indentation = /^ */.exec(lines[start] ?? '')?.[0].length ?? 0;
  return lines
    .slice(start, end + 1)
    .filter((line) => !without.test(line))
    .map((line) => line.slice(indentation))
    .join('\n');
};

const parts = [
  {
    title: 'On the server: who it is, and what they may see',
    code: excerpt(server, { from: 'vitrine({', to: 'app.use(', without: /logger|keyLifetime/ }),
  },
  {
    title: 'In the page: a report',
    code: excerpt(page, {
      from: '<EmbedProvider',
      to: '</EmbedProvider>',
      without: /onError|signed_out|^ +\}\}/,
    }),
  },
];

/** The code of this very page, shortened, and the developer tools. */
export const HowItIsMade = () => (
  <aside
    className="made"
    aria-label="How this is made"
    ref={(aside) => aside?.scrollIntoView({ block: 'nearest' })}
  >
    <a href="https://github.com/vitrine-embed/vitrine/blob/main/docs/guides/how-it-works.md">
      How it works, in the manual
    </a>
    {parts.map(({ title, code }) => (
      <section key={title}>
        <h2>{title}</h2>
        <pre>{code}</pre>
      </section>
    ))}
    <VitrineDevtools defaultOpen />
  </aside>
);
