import { VitrineDevtools } from '@vitrine/react/devtools';
import server from '../backend/createHost.ts?raw';
import page from './Desk.tsx?raw';

/** From the first line that contains one text to the next that contains another, without their indentation. */
const excerpt = (code: string, from: string, to: string): string => {
  const lines = code.split('\n');
  const start = lines.findIndex((line) => line.includes(from));
  const end = lines.findIndex((line, index) => index > start && line.includes(to));
  const indentation = /^ */.exec(lines[start] ?? '')?.[0].length ?? 0;
  return lines
    .slice(start, end + 1)
    .map((line) => line.slice(indentation))
    .join('\n');
};

const parts = [
  {
    title: 'The server says who it is, and what they may see',
    code: excerpt(server, 'vitrine({', 'app.use('),
  },
  { title: 'The page shows a report', code: excerpt(page, '<EmbedProvider', '</EmbedProvider>') },
];

/** The code of this very page, and the developer tools. */
export const HowItIsMade = () => (
  <aside className="made" aria-label="How this is made">
    <p className="muted">
      <a href="https://github.com/vitrine-embed/vitrine/blob/main/docs/guides/how-it-works.md">
        How it works
      </a>
      , in the manual. On your machine: <code>npm run storybook</code>.
    </p>
    {parts.map(({ title, code }) => (
      <section key={title}>
        <h2>{title}</h2>
        <pre>{code}</pre>
      </section>
    ))}
    <VitrineDevtools defaultOpen />
  </aside>
);
