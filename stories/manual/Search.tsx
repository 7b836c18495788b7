import { useState } from 'react';
import type { SearchEntry } from './searchIndex.ts';

const mostShown = 12;

/** Searches the whole text of the manual. Its index loads with the first focus. */
export const Search = () => {
  const [search, setSearch] = useState<(question: string) => readonly SearchEntry[]>();
  const [question, setQuestion] = useState('');
  const load = async () => {
    const { searchManual } = await import('./searchManual.ts');
    setSearch(() => searchManual);
  };
  const found = question.trim() === '' ? undefined : search?.(question);
  return (
    <search>
      <input
        type="search"
        className="manual-search"
        aria-label="Search the manual"
        placeholder="Search the manual"
        value={question}
        onFocus={() => void load()}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <output>{found && (found.length === 0 ? 'Nothing found.' : `${found.length} found.`)}</output>
      <ol>
        {found?.slice(0, mostShown).map(({ target, page, heading }) => (
          <li key={`${target} ${heading}`}>
            <a href={`./?path=/docs/${target}`} target="_top">
              {heading}
            </a>{' '}
            ({page})
          </li>
        ))}
      </ol>
    </search>
  );
};
